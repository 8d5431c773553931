// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interventions/random_noise.h"

#include <fmt/format.h>

#include "core/base/rng.h"

namespace farstate {

std::string RandomNoise::describe() const {
  return fmt::format("random noise, sigma {}, P(zero) {}", config_.sigma,
                     config_.zero_probability);
}

ModelState RandomNoise::draw(int64_t batch, int64_t step) {
  ModelState state = zeros(batch);
  Rng rng(seed_, RngStream::kInitialState, static_cast<uint64_t>(step));
  for (LayerState& layer : state.layers) {
    rng.fill_normal({layer.recurrent.data_ptr<float>(),
                     static_cast<size_t>(layer.recurrent.numel())},
                    0.0F, static_cast<float>(config_.sigma));
  }
  return state;
}

}  // namespace farstate
