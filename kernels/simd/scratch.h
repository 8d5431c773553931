// SPDX-License-Identifier: GPL-3.0-or-later
// Working memory of one kernel call. <op>.cpp asks the kernel for its size and allocates it once
// per range of tasks; kernels allocate nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace farstate::kernels {

inline constexpr std::align_val_t kCacheLine{64};

struct AlignedDelete {
  void operator()(void* memory) const { ::operator delete(memory, kCacheLine); }
};

template <class Real>
using Scratch = std::unique_ptr<Real[], AlignedDelete>;

template <class Real>
Scratch<Real> make_scratch(int64_t count) {
  const size_t bytes = static_cast<size_t>(count) * sizeof(Real);
  return Scratch<Real>(static_cast<Real*>(::operator new(bytes, kCacheLine)));
}

}  // namespace farstate::kernels
