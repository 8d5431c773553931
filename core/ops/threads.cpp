// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/threads.h"

#include <ATen/Parallel.h>
#include <omp.h>

namespace farstate::ops {
namespace {

// About 100 us of adding one tensor to another.
constexpr int64_t kFew = int64_t{1} << 18;

thread_local int of_kernels = 0;  // 0: as LibTorch

}  // namespace

int thread_count() {
  if (at::in_parallel_region()) return 1;
  return of_kernels > 0 ? of_kernels : at::get_num_threads();
}

// LibTorch asks OpenMP for the threads of each of its loops.
FewThreads::FewThreads(int64_t elements) {
  if (elements > kFew || of_kernels > 0) return;
  outer_ = of_kernels = at::get_num_threads();
  omp_set_num_threads(1);
}

FewThreads::~FewThreads() {
  if (outer_ == 0) return;
  of_kernels = 0;
  omp_set_num_threads(outer_);
}

}  // namespace farstate::ops
