// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interventions/fitted_noise.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/base/rng.h"
#include "core/ops/state_stats.h"

namespace farstate {

FittedNoise::FittedNoise(const InterventionConfig& config, ModelState zero, uint64_t seed)
    : InitialStatePolicy(config, std::move(zero), seed) {
  const auto layers = static_cast<int64_t>(zero_.layers.size());
  const int64_t heads = zero_.layers.front().recurrent.size(1);
  first_ = at::zeros({layers, heads}, at::kDouble);
  second_ = at::zeros({layers, heads}, at::kDouble);
}

void FittedNoise::observe(const ModelState& final_state) {
  const double keep = std::min(config_.fitted_momentum,
                               1.0 - 1.0 / static_cast<double>(observed_ + 1));
  for (size_t i = 0; i < final_state.layers.size(); ++i) {
    const at::Tensor& h = final_state.layers[i].recurrent;
    const at::Tensor sums = ops::state_stats(h).sum(0);  // [H,4]
    const auto count = static_cast<double>(h.numel() / h.size(1));
    const auto layer = static_cast<int64_t>(i);
    first_[layer].mul_(keep).add_(sums.select(1, 0) / count, 1.0 - keep);
    second_[layer].mul_(keep).add_(sums.select(1, 1) / count, 1.0 - keep);
  }
  ++observed_;
}

at::Tensor FittedNoise::std() const {
  return (second_ - first_ * first_).clamp_min(0).sqrt();
}

ModelState FittedNoise::draw(int64_t batch, int64_t step) {
  ModelState state = zeros(batch);
  if (observed_ == 0) return state;
  const at::Tensor deviation = std();
  Rng rng(seed_, RngStream::kInitialState, static_cast<uint64_t>(step));
  for (size_t i = 0; i < state.layers.size(); ++i) {
    const at::Tensor& h = state.layers[i].recurrent;
    const int64_t heads = h.size(1);
    const int64_t per_head = h.numel() / (batch * heads);
    float* values = h.data_ptr<float>();
    for (int64_t row = 0; row < batch; ++row) {
      for (int64_t head = 0; head < heads; ++head) {
        const auto layer = static_cast<int64_t>(i);
        rng.fill_normal({values, static_cast<size_t>(per_head)},
                        static_cast<float>(first_[layer][head].item<double>()),
                        static_cast<float>(deviation[layer][head].item<double>()));
        values += per_head;
      }
    }
  }
  return state;
}

PolicyMemory FittedNoise::memory() const {
  return {{"first_moment", first_},
          {"second_moment", second_},
          {"observed", at::tensor({observed_}, at::kLong)}};
}

void FittedNoise::restore(const PolicyMemory& memory) {
  first_ = memory.at("first_moment").clone();
  second_ = memory.at("second_moment").clone();
  observed_ = memory.at("observed").item<int64_t>();
}

std::string FittedNoise::describe() const {
  return fmt::format("fitted noise, momentum {}, P(zero) {}", config_.fitted_momentum,
                     config_.zero_probability);
}

}  // namespace farstate
