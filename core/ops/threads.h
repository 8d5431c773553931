// SPDX-License-Identifier: GPL-3.0-or-later
// How many threads our kernels run on, and how many LibTorch's own operators.
#pragma once

#include <cstdint>

namespace farstate::ops {

// Of our kernels: as many as LibTorch has outside of any FewThreads.
int thread_count();

// For its lifetime, on the calling thread, LibTorch's own operators run on one thread where the
// tensors they see have at most `elements` elements and those are few: they have no work of their
// own but sums and copies, and waking OpenMP's threads for one takes longer than it does. Our
// kernels wait for nobody to wake (core/base/crew.h) and keep their threads.
class FewThreads {
 public:
  explicit FewThreads(int64_t elements);
  ~FewThreads();
  FewThreads(const FewThreads&) = delete;
  FewThreads& operator=(const FewThreads&) = delete;

 private:
  int outer_ = 0;  // 0: nothing was changed
};

}  // namespace farstate::ops
