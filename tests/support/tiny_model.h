// SPDX-License-Identifier: GPL-3.0-or-later
// A model that is small enough for tests and has every feature: two layers, groups, odd sizes.
#pragma once

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <memory>

#include "core/base/rng.h"
#include "core/models/mamba2.h"

namespace farstate::testing {

inline Mamba2Config tiny_config() {
  Mamba2Config c;
  c.model_dim = 24;
  c.layers = 2;
  c.heads = 4;
  c.head_dim = 12;
  c.state_dim = 10;
  c.groups = 2;
  c.vocabulary = 256;
  return c;
}

// Initialised as for training, then stirred: at initialisation D, the norms and the biases are
// constants, and a mistake in them would not show.
inline std::unique_ptr<Mamba2> tiny_model(uint64_t seed = 5, Mamba2Config config = tiny_config()) {
  const at::NoGradGuard no_grad;
  std::unique_ptr<Mamba2> model = Mamba2::initialise(config, seed);
  Rng rng(seed, RngStream::kMeasure);
  for (const TensorEntry& entry : model->tensors()) {
    at::Tensor noise = at::empty(entry.tensor.sizes(), at::kFloat);
    rng.fill_normal({noise.data_ptr<float>(), static_cast<size_t>(noise.numel())}, 0.0F, 0.1F);
    entry.tensor.add_(noise);
  }
  return model;
}

inline at::Tensor random_tokens(int64_t batch, int64_t length, int64_t vocabulary,
                                uint64_t seed = 1) {
  at::Tensor tokens = at::empty({batch, length}, at::kLong);
  Rng rng(seed, RngStream::kBatch);
  int64_t* out = tokens.data_ptr<int64_t>();
  for (int64_t i = 0; i < tokens.numel(); ++i) out[i] = rng.below(vocabulary);
  return tokens;
}

inline ModelState random_state(const RecurrentLM& model, int64_t batch, uint64_t seed = 2) {
  ModelState state = model.zero_state(batch);
  Rng rng(seed, RngStream::kInitialState);
  for (LayerState& layer : state.layers) {
    for (at::Tensor* t : {&layer.recurrent, &layer.context}) {
      rng.fill_normal({t->data_ptr<float>(), static_cast<size_t>(t->numel())}, 0.0F, 1.0F);
    }
  }
  return state;
}

// Largest difference relative to the reference's largest magnitude.
inline double scaled_error(const at::Tensor& value, const at::Tensor& reference) {
  const at::Tensor wanted = reference.detach().to(at::kDouble);
  const double scale = std::max(wanted.abs().max().item<double>(), 1e-30);
  return (value.detach().to(at::kDouble) - wanted).abs().max().item<double>() / scale;
}

inline bool bit_equal(const at::Tensor& a, const at::Tensor& b) {
  return a.sizes() == b.sizes() && at::equal(a.detach(), b.detach());
}

}  // namespace farstate::testing
