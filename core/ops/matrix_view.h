// SPDX-License-Identifier: GPL-3.0-or-later
// Matrices of LibTorch as the kernels take them, and their tasks spread over the crew's threads.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/ops/op_support.h"
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

// for_each_task() for blocks of a product of this depth. Ten times as many operations per nanosecond
// as it counts on: in rounds as short as it would make them, threads would bring the same part of an
// operand into order again and again.
template <class Run>
void for_each_gemm_task(const kernels::GemmTasks& tasks, int64_t K, const Run& run) {
  const double operations = 0.2 * static_cast<double>(tasks.rows * tasks.columns);
  for_each_task(tasks.count, operations * static_cast<double>(std::max<int64_t>(K, 1)), run);
}

}  // namespace farstate::ops
