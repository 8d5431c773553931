// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/bf16_product.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <limits>
#include <string>

#include "core/ops/matrix_product.h"
#include "core/ops/op_support.h"

// Of the MKL that LibTorch is built with on x86; absent elsewhere. LibTorch's own product of bfloat16
// matrices rounds its result to bfloat16.
extern "C" __attribute__((weak)) void cblas_gemm_bf16bf16f32(
    int layout, int trans_a, int trans_b, int m, int n, int k, float alpha,
    const unsigned short* a, int lda, const unsigned short* b, int ldb, float beta, float* c,
    int ldc);

namespace farstate::ops {
namespace {

using torch::Tensor;

constexpr int kRowMajor = 101, kNoTranspose = 111, kTranspose = 112;

// A matrix as BLAS reads it: rows, or columns, that lie one after the other.
struct Operand {
  Tensor tensor;
  int transposed = kNoTranspose;
  int64_t stride = 0;
};

Operand operand(const Tensor& matrix) {
  const auto dense = [&](int64_t inner, int64_t outer) {
    return matrix.stride(inner) == 1 && matrix.stride(outer) >= matrix.size(inner);
  };
  if (dense(1, 0)) return {matrix, kNoTranspose, matrix.stride(0)};
  if (dense(0, 1)) return {matrix, kTranspose, matrix.stride(1)};
  const Tensor copy = matrix.contiguous();
  return {copy, kNoTranspose, std::max<int64_t>(copy.size(1), 1)};
}

const unsigned short* bits(const Tensor& matrix) {
  return reinterpret_cast<const unsigned short*>(matrix.const_data_ptr<at::BFloat16>());
}

void multiply(const Tensor& a, const Tensor& b, float beta, const Tensor& out) {
  expect(cblas_gemm_bf16bf16f32 != nullptr, "bf16_product", "a LibTorch with MKL", "another");
  const Operand left = operand(a), right = operand(b);
  const int64_t largest = std::max({a.size(0), a.size(1), b.size(1), left.stride, right.stride});
  expect(largest <= std::numeric_limits<int>::max(), "bf16_product", "sizes below 2^31",
         std::to_string(largest));
  cblas_gemm_bf16bf16f32(kRowMajor, left.transposed, right.transposed, static_cast<int>(a.size(0)),
                         static_cast<int>(b.size(1)), static_cast<int>(a.size(1)), 1.0F,
                         bits(left.tensor), static_cast<int>(left.stride), bits(right.tensor),
                         static_cast<int>(right.stride), beta, out.data_ptr<float>(),
                         static_cast<int>(b.size(1)));
}

}  // namespace

bool has_bf16_products() {
#if defined(__x86_64__)
  static const bool has =
      cblas_gemm_bf16bf16f32 != nullptr && __builtin_cpu_supports("avx512bf16") != 0;
  return has;
#else
  return false;
#endif
}

Tensor bf16_operand(const Tensor& matrix) {
  const Tensor rounded = matrix.to(at::kBFloat16);
  return has_bf16_products() ? rounded : rounded.to(at::kFloat);
}

Tensor bf16_product(const Tensor& a, const Tensor& b) {
  if (a.scalar_type() == at::kFloat) return matrix_product(a, b);
  const Tensor out = at::empty({a.size(0), b.size(1)}, a.options().dtype(at::kFloat));
  multiply(a, b, 0.0F, out);
  return out;
}

void add_bf16_product(const Tensor& sum, const Tensor& a, const Tensor& b) {
  if (a.scalar_type() == at::kFloat) {
    multiply_into(sum, a, b, sum);
  } else {
    multiply(a, b, 1.0F, sum);
  }
}

}  // namespace farstate::ops
