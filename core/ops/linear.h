// SPDX-License-Identifier: GPL-3.0-or-later
// A projection. Its weight may be kept in bfloat16, and its products may be of bfloat16 operands; the
// sums are fp32 in either case.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/ops/bf16_product.h"

namespace farstate::ops {

// x [...,I], weight [O,I], bias [O] or undefined -> [...,O] in x's dtype, float or double. A weight of
// x's dtype is differentiable. A bfloat16 weight under a float x is widened while it is brought into
// the order of the product, so that no second copy of it ever exists; without a graph only.
// With kBFloat16 a float x and a float weight are rounded to bfloat16 for the product, and so are the
// operands of the two products of the backward pass, which keeps x in that form; result and gradients
// are float. Throws Error(kInternal) on other dtypes.
at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias = {},
                  Compute compute = Compute::kFloat32);

// residual + linear(x, weight, bias), the residual [...,O] added while the product is stored.
at::Tensor linear_plus(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                       const at::Tensor& residual, Compute compute = Compute::kFloat32);

}  // namespace farstate::ops
