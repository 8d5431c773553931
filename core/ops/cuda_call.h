// SPDX-License-Identifier: GPL-3.0-or-later
// What the calls of the CUDA kernels share: the device, its current stream, scratch memory. Without
// CUDA's headers, so that the same calls run in tests, on the CPU, with the kernels on the emulator.
#pragma once

#include <c10/core/DeviceGuard.h>
#include <c10/core/Stream.h>
#include <torch/types.h>

#include "kernels/cuda/stream.h"

namespace farstate::ops {

class CudaCall {
 public:
  explicit CudaCall(const torch::Tensor& like) : guard_(like.device()), options_(like.options()) {
    if (!like.is_cuda()) return;
    const c10::impl::VirtualGuardImpl device(c10::DeviceType::CUDA);
    stream_.handle = device.getStream(like.device()).native_handle();
  }

  kernels::cuda::Stream stream() const { return stream_; }

  // LibTorch gives a freed block to no other stream, and hands it on within this one in order: the
  // memory may go as soon as the kernel is in the queue.
  torch::Tensor workspace(int64_t bytes) const {
    return torch::empty({bytes}, options_.dtype(torch::kByte));
  }

 private:
  c10::OptionalDeviceGuard guard_;
  torch::TensorOptions options_;
  kernels::cuda::Stream stream_;
};

}  // namespace farstate::ops
