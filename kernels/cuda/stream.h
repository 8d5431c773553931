// SPDX-License-Identifier: GPL-3.0-or-later
// The queue that a CUDA kernel is put into, for callers that don't know CUDA's headers.
#pragma once

namespace farstate::kernels::cuda {

struct Stream {
  void* handle = nullptr;  // a cudaStream_t; null is the default stream
};

}  // namespace farstate::kernels::cuda
