// SPDX-License-Identifier: GPL-3.0-or-later
// What the operators share: the checks that name what was wanted and what was got, the choice of
// float or double, and the spreading of a kernel's tasks over the crew's threads.
#pragma once

#include <torch/types.h>

#include <algorithm>
#include <optional>
#include <string>

#include "core/base/crew.h"
#include "core/base/stop.h"
#include "core/ops/threads.h"

namespace farstate::ops {

// Throws Error(kInternal) with "<op>: wanted <wanted>; got <got>." unless `holds`.
void expect(bool holds, const char* op, const std::string& wanted, const std::string& got);

// Throws unless `tensor` has these sizes, and the dtype and device of `like`.
void expect_tensor(const char* op, const char* name, const torch::Tensor& tensor,
                   torch::IntArrayRef sizes, const torch::Tensor& like);

// expect_tensor where an undefined tensor is welcome.
void expect_optional(const char* op, const char* name, const torch::Tensor& tensor,
                     torch::IntArrayRef sizes, const torch::Tensor& like);

// Throws unless the tensor is there, of float or double, and has `dims` dimensions.
void expect_real(const char* op, const char* name, const torch::Tensor& tensor, int64_t dims);

// expect_real of a tensor on the CPU.
void expect_operand(const char* op, const char* name, const torch::Tensor& tensor, int64_t dims);

// Throws where the backward pass itself is being recorded: our kernels have no second derivative,
// and without this check autograd would take it for zero.
void expect_first_derivative(const char* op);

// `tensor` itself where neighbours of the last dimension are neighbours in memory, else a copy.
torch::Tensor with_contiguous_rows(const torch::Tensor& tensor);

// Whether autograd wants a gradient of any of these.
bool any_requires_grad(torch::TensorList tensors);

// autograd::Function refuses an undefined tensor as an argument, but takes an empty optional.
std::optional<torch::Tensor> to_optional(const torch::Tensor& tensor);

template <class Real>
Real* data_or_null(const torch::Tensor& tensor) {
  return tensor.defined() ? tensor.data_ptr<Real>() : nullptr;
}

// Calls run(Real()) with the C++ type of a float or double tensor.
template <class Run>
void with_real_type(const torch::Tensor& tensor, const Run& run) {
  tensor.scalar_type() == torch::kDouble ? run(double()) : run(float());
}

// Runs run(begin, end) over ranges that cover [0, tasks) on thread_count() threads, and
// checks for a stop between rounds of at most about 20 ms, where no single task is longer: a kernel
// does 10 to 100 of the operations counted here per nanosecond. Short tasks are bundled, so that a
// range is worth a thread's turning to it; there are more ranges than threads, so that one that is
// held up takes fewer.
template <class Run>
void for_each_task(int64_t tasks, double operations_per_task, const Run& run) {
  constexpr double kOperationsPerRound = 2e8, kOperationsPerRange = 1e5;
  constexpr int64_t kRangesPerThread = 4;
  const double cost = std::max(operations_per_task, 1.0);
  const int64_t threads = thread_count();
  const int64_t round = threads * static_cast<int64_t>(1 + kOperationsPerRound / cost);
  const int64_t grain = static_cast<int64_t>(1 + kOperationsPerRange / cost);
  for (int64_t first = 0; first < tasks; first += round) {
    throw_if_stopped();
    const int64_t count = std::min(tasks - first, round);
    const int64_t ranges = std::min((count + grain - 1) / grain, kRangesPerThread * threads);
    Crew::run(ranges, static_cast<int>(threads), [&](int64_t range) {
      run(first + count * range / ranges, first + count * (range + 1) / ranges);
    });
  }
}

}  // namespace farstate::ops
