// SPDX-License-Identifier: GPL-3.0-or-later
// Depthwise causal convolution and SiLU on the CPU, forward and backward:
//   pre_t = bias + sum_{w<W} weight[:,w] u_{t-(W-1)+w},  y_t = pre_t sigmoid(pre_t)
// where u_{-(W-1)}, …, u_{-1} are the context that earlier positions left. Letters:
// docs/NOTATION.md. Real is float or double.
#pragma once

#include <cstdint>

#include "kernels/simd/isa.h"

namespace farstate::kernels {

// Positions of one task.
inline constexpr int64_t kConvPositions = 64;

struct CausalConv1dSizes {
  int64_t B = 0, T = 0, C = 0, W = 0;

  int64_t tasks() const { return B * ((T + kConvPositions - 1) / kConvPositions); }
};

template <class Real>
struct CausalConv1dInputs {
  CausalConv1dSizes sizes;
  const Real* u = nullptr;  // [B,T,C]: channel c of (b,t) at u[b * stride_b + t * stride_t + c]
  int64_t u_stride_b = 0, u_stride_t = 0;
  const Real* weight = nullptr;   // [C,W]
  const Real* bias = nullptr;     // [C] or null (zero)
  const Real* context = nullptr;  // [B,W-1,C], oldest first, or null (zero)
};

template <class Real>
struct CausalConv1dForward {
  CausalConv1dInputs<Real> in;
  Real* y = nullptr;            // [B,T,C]
  Real* new_context = nullptr;  // [B,W-1,C]; not the memory of context
};

template <class Real>
struct CausalConv1dBackward {
  CausalConv1dInputs<Real> in;
  const Real* grad_y = nullptr;  // [B,T,C], strided as u
  int64_t grad_y_stride_b = 0, grad_y_stride_t = 0;
  const Real* grad_new_context = nullptr;  // [B,W-1,C] or null (zero)

  Real* grad_u = nullptr;        // [B,T,C]
  Real* grad_context = nullptr;  // [B,W-1,C]
  // Per task; the caller adds them up.
  Real* grad_weight = nullptr;  // [tasks,C,W]
  Real* grad_bias = nullptr;    // [tasks,C]
};

// Tasks [begin, end) of sizes.tasks(): batch row by batch row, kConvPositions positions each.
template <class Real>
void causal_conv1d_forward(const CausalConv1dForward<Real>& args, int64_t begin, int64_t end,
                           Isa isa = best_isa());
template <class Real>
void causal_conv1d_backward(const CausalConv1dBackward<Real>& args, int64_t begin, int64_t end,
                            Isa isa = best_isa());

}  // namespace farstate::kernels
