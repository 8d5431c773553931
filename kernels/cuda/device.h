// SPDX-License-Identifier: GPL-3.0-or-later
// The device as our .cu files see it. nvcc compiles them for a GPU; a C++ compiler with
// FARSTATE_CUDA_EMULATOR compiles the very same text for the emulator of the tests, which knows
// every access to shared memory and every barrier. So a .cu file includes this header (and others
// of kernels/cuda) and nothing else of CUDA, and takes shared memory from a SharedCarver only:
//
//   __global__ void __launch_bounds__(128) scale_kernel(Scale args) {
//     SharedCarver shared;
//     const SharedArray<float> tile = shared.take<float>(128);
//     …
//   launch<scale_kernel>(Grid{blocks}, 128, shared_bytes<float>(128), stream, args);
#pragma once

#include <cstdint>

#include "kernels/cuda/stream.h"

#ifdef FARSTATE_CUDA_EMULATOR
#include "tests/cuda/emulator.h"
#else
#include <cuda_runtime.h>

#include "kernels/cuda/launch_error.h"
#endif

namespace farstate::kernels::cuda {

inline constexpr unsigned kFullMask = 0xffffffffu;  // all lanes of a warp
inline constexpr int kWarp = 32;

__host__ __device__ constexpr int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

// Every array starts at a multiple of 16 bytes, so that vectors of four floats can be read.
inline constexpr int64_t kSharedAlignment = 16;

// What an array of `count` takes of a block's shared memory; a launch gives the sum of all.
template <class T>
__host__ __device__ constexpr int64_t shared_bytes(int64_t count) {
  return ceil_div(count * int64_t(sizeof(T)), kSharedAlignment) * kSharedAlignment;
}

#ifndef FARSTATE_CUDA_EMULATOR

template <class T>
using SharedArray = T*;

// Cuts a block's dynamic shared memory into arrays, in the order of the calls; every thread of the
// block makes the same calls. A copy goes on from where the original was, over the same memory.
class SharedCarver {
 public:
  template <class T>
  __device__ __forceinline__ SharedArray<T> take(int count) {
    extern __shared__ uint4 farstate_shared_memory[];
    char* const at = reinterpret_cast<char*>(farstate_shared_memory) + used_;
    used_ += static_cast<int>(shared_bytes<T>(count));
    return reinterpret_cast<T*>(at);
  }

 private:
  int used_ = 0;
};

// Sixteen bytes or so at once, from an address that is a multiple of the vector's size. `from` and
// `to` may lie in global or shared memory.
template <class Vector, class T>
__device__ __forceinline__ Vector load_vector(const T* from) {
  return *reinterpret_cast<const Vector*>(from);
}
template <class Vector, class T>
__device__ __forceinline__ void store_vector(T* to, Vector value) {
  *reinterpret_cast<Vector*>(to) = value;
}

// Of some 2 + |x| ulp, from the special function units.
__device__ __forceinline__ float fast_exp(float x) { return __expf(x); }
__device__ __forceinline__ float fast_log(float x) { return __logf(x); }

struct Grid {
  int64_t x = 1, y = 1, z = 1;
};

inline void check_cuda(cudaError_t status, const char* doing) {
  if (status == cudaSuccess) return;
  throw_cuda_error(doing, cudaGetErrorName(status), cudaGetErrorString(status));
}

// Puts kKernel into the stream; an empty grid puts nothing.
template <auto kKernel, class... Args>
void launch(Grid grid, int threads, int64_t shared, Stream stream, Args... args) {
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) return;
  check_grid(grid.x, grid.y, grid.z);
  constexpr int64_t without_asking = 48 << 10;
  if (shared > without_asking) {
    check_cuda(cudaFuncSetAttribute(kKernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(shared)),
               "asking for shared memory");
  }
  const dim3 blocks(static_cast<unsigned>(grid.x), static_cast<unsigned>(grid.y),
                    static_cast<unsigned>(grid.z));
  kKernel<<<blocks, threads, static_cast<size_t>(shared),
            static_cast<cudaStream_t>(stream.handle)>>>(args...);
  check_cuda(cudaGetLastError(), "a launch");
}

#endif

}  // namespace farstate::kernels::cuda
