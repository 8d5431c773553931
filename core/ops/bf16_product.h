// SPDX-License-Identifier: GPL-3.0-or-later
// Matrix products whose operands are rounded to bfloat16 while sums and result are float32: half the
// memory traffic, and a fraction of the time where the processor multiplies such numbers itself.
#pragma once

#include <ATen/core/Tensor.h>

namespace farstate::ops {

// What a product's operands are rounded to.
enum class Compute { kFloat32, kBFloat16 };

// Whether this processor multiplies bfloat16 numbers (AVX512_BF16, which all with AMX have too), and
// LibTorch brings a product that keeps float32 sums. Elsewhere the products below are those of
// float32 over rounded operands: the same numbers up to the order of the sums, and no faster.
bool has_bf16_products();

// A float or bfloat16 matrix, rounded, in the form that bf16_product() takes on this machine.
at::Tensor bf16_operand(const at::Tensor& matrix);

// a [M,K], b [K,N], both of bf16_operand() or both bfloat16, possibly transposed -> [M,N] float.
// Throws Error(kInternal) on bfloat16 where LibTorch brings no such product.
at::Tensor bf16_product(const at::Tensor& a, const at::Tensor& b);
void add_bf16_product(const at::Tensor& sum, const at::Tensor& a, const at::Tensor& b);  // sum += a b

}  // namespace farstate::ops
