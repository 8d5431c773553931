// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/state_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.h"
#include "core/checkpoint/tensor_writers.h"
#include "core/checkpoint/tensors.h"
#include "core/formats/safetensors.h"

namespace farstate {

void save_state(const std::string& path, const ModelState& state) {
  NamedTensors tensors;
  for (size_t i = 0; i < state.layers.size(); ++i) {
    tensors.emplace_back(fmt::format("layers.{}.recurrent", i), state.layers[i].recurrent);
    tensors.emplace_back(fmt::format("layers.{}.context", i), state.layers[i].context);
  }
  write_safetensors(path, tensors, {{"format", "pt"}});
}

ModelState load_state(const std::string& path, const RecurrentLM& model) {
  const TensorTable file = read_safetensors(path);
  ModelState state = model.zero_state(1);
  const auto fill = [&](const std::string& name, at::Tensor& target) {
    const at::Tensor found = tensor_of(file, name);
    if (found.sizes() != target.sizes()) {
      throw Error(ErrorKind::kBadInput,
                  fmt::format("{}: the tensor \"{}\" has the shape [{}], but this model's state has "
                              "[{}].",
                              path, name, fmt::join(found.sizes(), ","),
                              fmt::join(target.sizes(), ",")));
    }
    target.copy_(found);
  };
  for (size_t i = 0; i < state.layers.size(); ++i) {
    fill(fmt::format("layers.{}.recurrent", i), state.layers[i].recurrent);
    fill(fmt::format("layers.{}.context", i), state.layers[i].context);
  }
  return state;
}

}  // namespace farstate
