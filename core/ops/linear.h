// SPDX-License-Identifier: GPL-3.0-or-later
// A projection whose weight may be kept in bfloat16: the products and sums are fp32 all the same.
#pragma once

#include <ATen/core/Tensor.h>

namespace farstate::ops {

// x [...,I], weight [O,I], bias [O] or undefined -> [...,O] in x's dtype. A weight of x's dtype is
// at::linear and differentiable. A bfloat16 weight under a float x is widened block by block of
// its rows, so that no second copy of it ever exists; without a graph only.
// Throws Error(kInternal) on other dtypes.
at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias = {});

}  // namespace farstate::ops
