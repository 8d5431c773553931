// SPDX-License-Identifier: GPL-3.0-or-later
// The loss of a block of logits on a CUDA device, and its gradient in the logits' place:
//   lse = log sum_v exp(logits_v),  nll = lse - logits_target
//   d logits_v = (exp(logits_v - lse) - [v = target]) grad_nll
#pragma once

#include <cstdint>

#include "kernels/cuda/stream.h"

namespace farstate::kernels::cuda {

// All pointers lead into the device's memory.
struct NllBlock {
  int64_t R = 0, V = 0;
  float* logits = nullptr;           // [R,V]; the backward turns them into their gradient
  const int64_t* targets = nullptr;  // [R] in [0,V)
  float* log_sum_exp = nullptr;      // [R], of the forward
  float* nll = nullptr;              // [R]; the forward's result
  const float* grad_nll = nullptr;   // [R]; the backward's operand
};

void nll_forward(const NllBlock& block, Stream stream);
void nll_backward(const NllBlock& block, Stream stream);

}  // namespace farstate::kernels::cuda
