// SPDX-License-Identifier: GPL-3.0-or-later
// Matrices of LibTorch as the kernels take them.
#pragma once

#include <ATen/core/Tensor.h>

#include "kernels/gemm/gemm.h"

namespace farstate::ops {

// The matrix itself where its rows or its columns are contiguous, else a copy.
at::Tensor with_unit_stride(const at::Tensor& matrix);

// A stride that no element needs is whatever it happens to be; the kernels tell the two forms apart
// by the stride that is 1.
template <class Number>
kernels::MatrixView<Number> matrix_view(const at::Tensor& matrix, const Number* data) {
  const bool rows = matrix.size(1) <= 1 || matrix.stride(1) == 1;
  return rows ? kernels::MatrixView<Number>{data, matrix.stride(0), 1}
              : kernels::MatrixView<Number>{data, 1, matrix.stride(1)};
}

template <class Real>
kernels::MatrixView<Real> matrix_view(const at::Tensor& matrix) {
  return matrix_view<Real>(matrix, matrix.const_data_ptr<Real>());
}

inline kernels::MatrixView<kernels::Bf16> narrow_view(const at::Tensor& matrix) {
  const auto* const bits = matrix.const_data_ptr<at::BFloat16>();
  return matrix_view<kernels::Bf16>(matrix, reinterpret_cast<const kernels::Bf16*>(bits));
}

}  // namespace farstate::ops
