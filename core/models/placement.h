// SPDX-License-Identifier: GPL-3.0-or-later
// Where a model's weights are, and so where forward() and step() compute. States must lie there;
// tokens are brought there.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/models/recurrent_lm.h"

namespace farstate {

at::Device device_of(const RecurrentLM& model);

// Moves the weights, for everyone who holds one of them, and drops their gradients.
void move_to(const RecurrentLM& model, const at::Device& device);

ModelState moved_to(const ModelState& state, const at::Device& device);

}  // namespace farstate
