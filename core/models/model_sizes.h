// SPDX-License-Identifier: GPL-3.0-or-later
// What every architecture has, as plain numbers.
#pragma once

#include <cstdint>
#include <string>

#include "core/models/model_config.h"

namespace farstate {

// For probes, estimates and front ends.
struct ModelSizes {
  std::string architecture;  // "Mamba-2"
  int64_t layers = 0;        // L
  int64_t heads = 0;         // H: the recurrent state of a layer is [B,H,…]
  int64_t head_dim = 0;      // P
  int64_t state_dim = 0;     // N: P x N elements per head
  int64_t groups = 1;        // G
  int64_t model_dim = 0;     // D
  int64_t vocabulary = 0;    // V
  bool tied_head = true;
  int64_t state_bytes = 0;     // of one sequence, fp32: the recurrent state and the context
  int64_t widest = 0;          // floats per token of the widest activation
  int64_t kept_per_token = 0;  // floats per token and layer that the backward pass needs
};

ModelSizes mamba2_sizes(const Mamba2Config& config);

}  // namespace farstate
