// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interventions/fitted_noise.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/zeros.h>

#include <algorithm>

#include "core/base/rng.h"
#include "core/ops/state_stats.h"

namespace farstate {

FittedNoise::FittedNoise(const InterventionConfig& config, ModelState zero, uint64_t seed)
    : FittedLaw(config, std::move(zero), seed) {
  const auto layers = static_cast<int64_t>(zero_.layers.size());
  const int64_t heads = zero_.layers.front().recurrent.size(1);
  first_ = at::zeros({layers, heads}, at::kDouble);
  second_ = at::zeros({layers, heads}, at::kDouble);
}

void FittedNoise::absorb(const Observation& windows, double keep) {
  const int64_t heads = first_.size(1);
  double* first = first_.data_ptr<double>();
  double* second = second_.data_ptr<double>();
  for (size_t layer = 0; layer < zero_.layers.size(); ++layer) {
    const auto elements = static_cast<double>(zero_.layers[layer].recurrent.numel() / heads);
    const at::Tensor& h = windows.final_state.layers[layer].recurrent;
    const at::Tensor stats =
        fits_all_states() ? windows.stats.at(layer).contiguous() : ops::state_stats(h.contiguous());
    const double* values = stats.data_ptr<double>();  // [states,H,4]
    const int64_t states = stats.numel() / (4 * heads);
    for (int64_t head = 0; head < heads; ++head, ++first, ++second) {
      // In the order of the states, so that the number of threads changes no bit.
      double sum = 0, squares = 0, finite = 0;
      for (int64_t state = 0; state < states; ++state) {
        const double* of = values + 4 * (state * heads + head);
        sum += of[0];
        squares += of[1];
        finite += elements - of[3];
      }
      finite = std::max(finite, 1.0);
      *first = keep * *first + (1 - keep) * sum / finite;
      *second = keep * *second + (1 - keep) * squares / finite;
    }
  }
}

at::Tensor FittedNoise::std() const {
  return (second_ - first_ * first_).clamp_min(0).sqrt();
}

std::optional<FittedGaussians> FittedNoise::fitted() const {
  if (observed_ == 0) return std::nullopt;
  return FittedGaussians{Intervention::kFittedNoise, observed_, first_, std()};
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

void FittedNoise::save_fit(PolicyMemory& memory) const {
  memory["first_moment"] = first_;
  memory["second_moment"] = second_;
}

bool FittedNoise::restore_fit(const PolicyMemory& memory) {
  first_.copy_(memory.at("first_moment").view(first_.sizes()));
  second_.copy_(memory.at("second_moment").view(second_.sizes()));
  return true;
}

}  // namespace farstate
