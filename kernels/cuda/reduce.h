// SPDX-License-Identifier: GPL-3.0-or-later
// Sums over the threads of a warp or a block, always in the same order, so the same terms give the
// same bits; every thread gets the result.
#pragma once

#include "kernels/cuda/device.h"

namespace farstate::kernels::cuda {

struct Add {
  template <class T>
  __device__ __forceinline__ T operator()(T a, T b) const {
    return a + b;
  }
};

struct Larger {
  __device__ __forceinline__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

template <class T, class Combine>
__device__ __forceinline__ T warp_reduce(T value, Combine combine) {
  for (int lanes = kWarp / 2; lanes > 0; lanes /= 2) {
    value = combine(value, __shfl_xor_sync(kFullMask, value, lanes));
  }
  return value;
}

template <class T>
__device__ __forceinline__ T warp_sum(T value) {
  return warp_reduce(value, Add());
}

// Over a block of kThreads. `partial` holds an element per warp and may be used again at once.
template <int kThreads, class T, class Combine>
__device__ __forceinline__ T block_reduce(T value, SharedArray<T> partial, Combine combine) {
  constexpr int warps = kThreads / kWarp;
  value = warp_reduce(value, combine);
  __syncthreads();  // until the last result is read
  if (threadIdx.x % kWarp == 0) partial[static_cast<int>(threadIdx.x) / kWarp] = value;
  __syncthreads();
  T total = partial[0];
  for (int warp = 1; warp < warps; ++warp) total = combine(total, T(partial[warp]));
  return total;
}

template <int kThreads, class T>
__device__ __forceinline__ T block_sum(T value, SharedArray<T> partial) {
  return block_reduce<kThreads>(value, partial, Add());
}

}  // namespace farstate::kernels::cuda
