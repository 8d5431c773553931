// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/state/model_state.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>

namespace farstate {
namespace {

template <typename Function>
ModelState map(const ModelState& state, Function&& function) {
  ModelState result;
  result.layers.reserve(state.layers.size());
  for (const LayerState& layer : state.layers) {
    result.layers.push_back({function(layer.recurrent), function(layer.context)});
  }
  return result;
}

}  // namespace

ModelState ModelState::detach() const {
  return map(*this, [](const at::Tensor& t) { return t.detach(); });
}

ModelState ModelState::clone() const {
  return map(*this, [](const at::Tensor& t) { return t.clone(); });
}

ModelState ModelState::rows(int64_t first, int64_t last) const {
  return map(*this, [&](const at::Tensor& t) { return t.slice(0, first, last); });
}

ModelState ModelState::concatenate(const std::vector<ModelState>& parts) {
  ModelState result;
  for (size_t layer = 0; layer < parts.front().layers.size(); ++layer) {
    std::vector<at::Tensor> recurrent;
    std::vector<at::Tensor> context;
    for (const ModelState& part : parts) {
      recurrent.push_back(part.layers[layer].recurrent);
      context.push_back(part.layers[layer].context);
    }
    result.layers.push_back({at::cat(recurrent), at::cat(context)});
  }
  return result;
}

void ModelState::zero_rows(const std::vector<uint8_t>& zero) {
  const at::NoGradGuard no_grad;
  for (LayerState& layer : layers) {
    for (size_t row = 0; row < zero.size(); ++row) {
      if (zero[row] == 0) continue;
      layer.recurrent[static_cast<int64_t>(row)].zero_();
      layer.context[static_cast<int64_t>(row)].zero_();
    }
  }
}

}  // namespace farstate
