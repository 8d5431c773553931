// SPDX-License-Identifier: GPL-3.0-or-later
// The model against two independent implementations: a float64 sequential scan ("ref") and
// transformers' Mamba2 ("hf"). tests/golden/README.md says what the files hold.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "core/checkpoint/model_files.h"
#include "core/checkpoint/tensor_writers.h"
#include "core/checkpoint/tensors.h"
#include "core/formats/safetensors.h"
#include "core/models/unroll.h"
#include "tests/support/tiny_model.h"

namespace farstate {
namespace {

using testing::scaled_error;

// fp32 against float64. A result is a sum of some 1e3 products through two layers; a random walk
// of that many roundings of 2^-24 is 2e-6 of its largest element, and gradients go through twice
// as many. transformers' own fp32 is off by the same amounts (README: 7.5e-7, gradients 3.1e-6).
constexpr double kForwardBound = 5e-6;
constexpr double kGradientBound = 2e-5;

struct Run {
  std::string folder;
  std::string name;  // "t19_state"
};

std::string golden(const std::string& folder) { return FARSTATE_GOLDEN_DIR "/" + folder; }

std::vector<Run> all_runs() {
  std::vector<Run> runs;
  for (const char* folder : {"g1_tied", "g2_limit", "gh_state", "expand1_limit_state", "bf16", "fp16"}) {
    const TensorTable file = read_safetensors(golden(folder) + "/golden.safetensors");
    std::set<std::string> names;
    for (const std::string& tensor : file.names()) names.insert(tensor.substr(0, tensor.find('/')));
    for (const std::string& name : names) runs.push_back({folder, name});
  }
  return runs;
}

class Golden : public ::testing::TestWithParam<Run> {
 protected:
  Golden()
      : file(read_safetensors(golden(GetParam().folder) + "/golden.safetensors")),
        loaded(load_model(golden(GetParam().folder))) {}

  std::string key(const std::string& name) const { return GetParam().name + "/" + name; }

  // The given initial state, requiring gradients; empty where the run starts from zero.
  ModelState first_state() const {
    ModelState state;
    for (int64_t i = 0; file.has(key("h_first/" + std::to_string(i))); ++i) {
      const std::string layer = std::to_string(i);
      state.layers.push_back({tensor_of(file, key("h_first/" + layer)).requires_grad_(true),
                              tensor_of(file, key("context_first/" + layer)).requires_grad_(true)});
    }
    return state;
  }

  void expect_close(const at::Tensor& value, const std::string& name, double bound) const {
    for (const char* source : {"ref/", "hf/"}) {
      if (!file.has(key(source + name))) continue;
      EXPECT_LE(scaled_error(value, tensor_of(file, key(source + name))), bound) << source << name;
      ++compared_;
    }
  }

  TensorTable file;
  LoadedModel loaded;
  mutable int compared_ = 0;
};

TEST_P(Golden, LogitsStatesAndGradientsAgree) {
  const at::Tensor ids = tensor_of(file, key("ids"));
  const int64_t B = ids.size(0);
  const int64_t T = ids.size(1);
  const ModelState first = first_state();
  const ForwardResult result = loaded.model->forward(ids, first);
  expect_close(loaded.model->logits(result.hidden), "logits", kForwardBound);
  for (size_t i = 0; i < result.state.layers.size(); ++i) {
    const std::string layer = std::to_string(i);
    expect_close(result.state.layers[i].recurrent, "h_last/" + layer, kForwardBound);
    expect_close(result.state.layers[i].context, "context_last/" + layer, kForwardBound);
  }
  if (file.has(key("ref/loss"))) {
    const at::Tensor hidden = result.hidden.slice(1, 0, T - 1).reshape({B * (T - 1), -1});
    const at::Tensor loss =
        nll(*loaded.model, hidden, ids.slice(1, 1, T).reshape({-1})).mean();
    expect_close(loss, "loss", kForwardBound);
    loss.backward();
    for (const TensorEntry& entry : loaded.model->tensors()) {
      if (file.has(key("ref/grad/" + entry.name))) {
        expect_close(entry.tensor.grad(), "grad/" + entry.name, kGradientBound);
      }
    }
    for (size_t i = 0; i < first.layers.size(); ++i) {
      const std::string layer = std::to_string(i);
      if (!file.has(key("ref/grad/h_first/" + layer))) continue;
      expect_close(first.layers[i].recurrent.grad(), "grad/h_first/" + layer, kGradientBound);
      expect_close(first.layers[i].context.grad(), "grad/context_first/" + layer, kGradientBound);
    }
  }
  EXPECT_GE(compared_, 5) << "the golden file holds too little to prove anything";
}

INSTANTIATE_TEST_SUITE_P(Files, Golden, ::testing::ValuesIn(all_runs()),
                         [](const auto& run) { return run.param.folder + "_" + run.param.name; });

}  // namespace
}  // namespace farstate
