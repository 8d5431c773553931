// SPDX-License-Identifier: GPL-3.0-or-later
// Depthwise causal convolution and SiLU with the context carried in and out:
//   y_t = silu(bias + sum_{w<W} weight[:,w] * u_{t-(W-1)+w}),  u_{-1}, …, u_{-(W-1)} the context
#pragma once

#include <ATen/core/Tensor.h>

namespace farstate::ops {

struct CausalConv1dResult {
  at::Tensor y;        // [B,T,C]
  at::Tensor context;  // [B,W-1,C]: the last W-1 inputs, oldest first (a copy)
};

// u [B,T,C] (last dim contiguous), weight [C,W], bias [C] or undefined,
// context [B,W-1,C] or undefined (zeros). Float or double. Differentiable in every operand and
// through both results. T >= 1, also T < W-1: then the new context keeps old inputs.
CausalConv1dResult causal_conv1d_silu(const at::Tensor& u, const at::Tensor& weight,
                                      const at::Tensor& bias, const at::Tensor& context);

CausalConv1dResult causal_conv1d_silu_naive(const at::Tensor& u, const at::Tensor& weight,
                                            const at::Tensor& bias,
                                            const at::Tensor& context);

}  // namespace farstate::ops
