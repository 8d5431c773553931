// SPDX-License-Identifier: GPL-3.0-or-later
// Products of float or double matrices by kernels/gemm, on the crew's threads. A row of the result
// has the same bits however many rows the product has.
#pragma once

#include <ATen/core/Tensor.h>

namespace farstate::ops {

// out = addend + a b for a [M,K], b [K,N], out [M,N] with contiguous rows. Rows or columns of a and b
// may be contiguous; anything else is copied. b may be bfloat16 under a float a. The addend is
// undefined, [N] (added to each row), or [M,N] with contiguous rows, as `out` itself is.
void multiply_into(const at::Tensor& out, const at::Tensor& a, const at::Tensor& b,
                   const at::Tensor& addend = {});

at::Tensor matrix_product(const at::Tensor& a, const at::Tensor& b, const at::Tensor& addend = {});

}  // namespace farstate::ops
