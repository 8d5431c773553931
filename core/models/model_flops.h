// SPDX-License-Identifier: GPL-3.0-or-later
// How much arithmetic a model is.
#pragma once

#include "core/models/model_config.h"

namespace farstate {

// Useful floating-point operations of the forward pass per token: what the definition asks for,
// whatever an implementation computes twice. A training step does three times as many.
double forward_flops(const Mamba2Config& config);

}  // namespace farstate
