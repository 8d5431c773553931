// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/gated_rmsnorm.h"

#include <torch/types.h>

namespace farstate::ops {

torch::Tensor gated_rmsnorm_naive(const torch::Tensor& y, const torch::Tensor& z,
                                  const torch::Tensor& weight, int64_t groups, double eps) {
  const torch::Tensor gated = z.defined() ? y * torch::silu(z) : y;
  const torch::Tensor v = gated.unflatten(-1, {groups, y.size(-1) / groups});
  const torch::Tensor rstd = (v.square().mean(-1, /*keepdim=*/true) + eps).rsqrt();
  return weight * (v * rstd).flatten(-2);
}

}  // namespace farstate::ops
