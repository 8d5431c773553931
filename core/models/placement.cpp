// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/placement.h"

#include <ATen/core/grad_mode.h>

#include "core/ops/on_device.h"

namespace farstate {

at::Device device_of(const RecurrentLM& model) { return model.tensors().front().tensor.device(); }

void move_to(const RecurrentLM& model, const at::Device& device) {
  const at::NoGradGuard no_grad;
  for (const TensorEntry& entry : model.tensors()) {
    entry.tensor.mutable_grad().reset();
    entry.tensor.set_data(entry.tensor.to(device));
  }
}

ModelState moved_to(const ModelState& state, const at::Device& device) {
  ModelState moved;
  for (const LayerState& layer : state.layers) {
    moved.layers.push_back(
        {ops::to_device(layer.recurrent, device), ops::to_device(layer.context, device)});
  }
  return moved;
}

}  // namespace farstate
