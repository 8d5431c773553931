// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/base/stop.h"
#include "core/checkpoint/state_files.h"
#include "core/data/corpus.h"
#include "core/interventions/initial_state_policy.h"
#include "core/models/unroll.h"
#include "core/session/jobs.h"
#include "core/session/model_source.h"
#include "core/tokenizer/tokenizer.h"

namespace farstate {
namespace {

void check(const GenerateConfig& c) {
  const auto require = [](bool good, const char* what) {
    if (!good) throw Error(ErrorKind::kBadUsage, what);
  };
  require(!c.prompt.empty(), "The prompt is empty; the model needs at least one token to go on from.");
  require(c.tokens >= 0, "The number of tokens must be 0 or more.");
  require(std::isfinite(c.temperature) && c.temperature >= 0,
          "The temperature must be a finite number from 0 (0: the most likely token).");
  require(std::isfinite(c.sigma) && c.sigma >= 0, "sigma must be a finite number from 0.");
  require(c.top_p > 0 && c.top_p <= 1, "top-p must be above 0 and at most 1.");
}

ModelState initial_state(const GenerateConfig& config, const RecurrentLM& model) {
  if (config.initial_state == "zero") return model.zero_state(1);
  if (config.initial_state == "random-noise") {
    InterventionConfig noise;
    noise.kind = Intervention::kRandomNoise;
    noise.sigma = config.sigma;
    noise.zero_probability = 0;
    return make_policy(noise, model.zero_state(1), config.seed)->initial(1, 0);
  }
  return load_state(config.initial_state, model);
}

// Draws from the smallest set of tokens whose probability reaches top_p (Holtzman et al. 2020,
// arXiv:1904.09751).
int64_t sample(const at::Tensor& logits, const GenerateConfig& config, Rng& rng) {
  if (config.temperature == 0) return logits.argmax().item<int64_t>();
  const at::Tensor p = (logits.to(at::kDouble) / config.temperature).softmax(-1).contiguous();
  const double* probability = p.data_ptr<double>();
  std::vector<int64_t> order(static_cast<size_t>(p.numel()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return probability[a] > probability[b]; });
  double mass = 0;
  size_t kept = 0;
  while (kept < order.size() && mass < config.top_p) mass += probability[order[kept++]];
  double target = rng.uniform() * mass;
  for (size_t i = 0; i < kept; ++i) {
    target -= probability[order[i]];
    if (target < 0) return order[i];
  }
  return order[kept - 1];
}

}  // namespace

void generate(const GenerateConfig& config,
              const std::function<void(const std::string&)>& on_text) {
  check(config);
  const at::NoGradGuard no_grad;
  const LoadedModel loaded = load(config.model, config.seed);
  const RecurrentLM& model = *loaded.model;
  check_tokenizer(loaded.tokenizer.get(), loaded.info.vocabulary, "The prompt");
  at::Tensor hidden;
  const std::shared_ptr<const Tokenizer> tokenizer = loaded.tokenizer;
  std::vector<int32_t> ids;
  tokenizer->encode(config.prompt, ids);
  const at::Tensor prompt = at::tensor(ids, at::kLong).unsqueeze(0);
  ModelState state = unroll(
      model, prompt, initial_state(config, model), {},
      [&](const UnrollSegment& segment) { hidden = segment.result.hidden.select(1, -1); });

  Rng rng(config.seed, RngStream::kSampling);
  TextDecoder decoder(*tokenizer);
  for (int64_t i = 0; i < config.tokens; ++i) {
    throw_if_stopped();
    // Rows beyond the tokenizer's ids fill the embedding up to a round size and mean nothing.
    const at::Tensor logits =
        model.logits(hidden).squeeze(0).narrow(0, 0, tokenizer->vocabulary());
    if (!logits.isfinite().all().item<bool>()) {
      throw Error(ErrorKind::kDiverged,
                  fmt::format("The model's predictions are not finite after {} new tokens.", i));
    }
    const int64_t token = sample(logits, config, rng);
    on_text(decoder.push(token));
    hidden = model.step(at::full({1}, token, at::kLong), state);
  }
  on_text(decoder.finish());
  if (!config.save_state.empty()) save_state(config.save_state, state);
}

}  // namespace farstate
