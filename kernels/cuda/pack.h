// SPDX-License-Identifier: GPL-3.0-or-later
// Neighbouring floats of global memory that a thread reads and writes with one instruction.
#pragma once

#include "kernels/cuda/device.h"

namespace farstate::kernels::cuda {

template <int kCount>
struct alignas(kCount * sizeof(float)) Pack {
  float of[kCount];
};

template <int kCount>
__device__ __forceinline__ Pack<kCount> load_pack(const float* from) {
  return load_vector<Pack<kCount>>(from);
}

template <int kCount>
__device__ __forceinline__ Pack<kCount> load_pack_or_zero(const float* from) {
  return from == nullptr ? Pack<kCount>{} : load_pack<kCount>(from);
}

template <int kCount>
__device__ __forceinline__ void store_pack(float* to, const Pack<kCount>& pack) {
  store_vector(to, pack);
}

// Whether rows at a pointer and a stride of floats are made of whole packs of four. A null pointer
// is no obstacle.
inline bool packs_of_four(const float* rows, int64_t stride) {
  return reinterpret_cast<uintptr_t>(rows) % sizeof(Pack<4>) == 0 && stride % 4 == 0;
}

__device__ __forceinline__ float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }

}  // namespace farstate::kernels::cuda
