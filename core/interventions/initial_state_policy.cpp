// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interventions/initial_state_policy.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros.h>

#include "core/base/rng.h"
#include "core/interventions/correlated_noise.h"
#include "core/interventions/fitted_noise.h"
#include "core/interventions/mixture.h"
#include "core/interventions/random_noise.h"
#include "core/interventions/state_passing.h"
#include "core/interventions/zero_state.h"

namespace farstate {

ModelState InitialStatePolicy::initial(int64_t batch, int64_t step) {
  const at::NoGradGuard no_grad;
  ModelState state = draw(batch, step);
  Rng rng(seed_, RngStream::kZeroState, static_cast<uint64_t>(step));
  std::vector<uint8_t> zero(static_cast<size_t>(batch));
  for (uint8_t& row : zero) row = rng.uniform() < config_.zero_probability ? 1 : 0;
  state.zero_rows(zero);
  return state;
}

ModelState InitialStatePolicy::zeros(int64_t batch) const {
  ModelState state;
  for (const LayerState& layer : zero_.layers) {
    const auto of_batch = [&](const at::Tensor& one_row) {
      std::vector<int64_t> shape = one_row.sizes().vec();
      shape[0] = batch;
      return at::zeros(shape, one_row.options());
    };
    state.layers.push_back({of_batch(layer.recurrent), of_batch(layer.context)});
  }
  return state;
}

std::unique_ptr<InitialStatePolicy> make_policy(const InterventionConfig& config, ModelState zero,
                                                uint64_t seed) {
  switch (config.kind) {
    case Intervention::kZero:
      return std::make_unique<ZeroState>(config, std::move(zero), seed);
    case Intervention::kRandomNoise:
      return std::make_unique<RandomNoise>(config, std::move(zero), seed);
    case Intervention::kFittedNoise:
      return std::make_unique<FittedNoise>(config, std::move(zero), seed);
    case Intervention::kStatePassing:
    case Intervention::kTbtt:
      return std::make_unique<StatePassing>(config, std::move(zero), seed);
    case Intervention::kCorrelatedNoise:
      return std::make_unique<CorrelatedNoise>(config, std::move(zero), seed);
    case Intervention::kMixture:
      return std::make_unique<Mixture>(config, std::move(zero), seed);
  }
  return nullptr;
}

}  // namespace farstate
