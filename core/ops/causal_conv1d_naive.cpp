// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/causal_conv1d.h"

#include <torch/types.h>

namespace farstate::ops {

CausalConv1dResult causal_conv1d_silu_naive(const torch::Tensor& u, const torch::Tensor& weight,
                                            const torch::Tensor& bias,
                                            const torch::Tensor& context) {
  const int64_t T = u.size(1), W = weight.size(1);
  const torch::Tensor before =
      context.defined() ? context : torch::zeros({u.size(0), W - 1, u.size(2)}, u.options());
  const torch::Tensor inputs = torch::cat({before, u}, 1);  // [B,W-1+T,C]
  torch::Tensor pre = torch::zeros_like(u);
  for (int64_t w = 0; w < W; ++w) pre = pre + weight.select(1, w) * inputs.narrow(1, w, T);
  if (bias.defined()) pre = pre + bias;
  return {torch::silu(pre), inputs.narrow(1, T, W - 1).clone()};
}

}  // namespace farstate::ops
