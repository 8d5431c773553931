// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "core/ops/device_graph.h"

namespace farstate::ops {
namespace {

// Tensors that the work makes get their memory from a pool of this graph alone, so no one else can
// write over it between two replays.
class CudaRecording : public GraphRecording {
 public:
  CudaRecording(const c10::Device& device, const std::function<void()>& work) : device_(device) {
    const c10::cuda::CUDAGuard on_device(device_.index());
    c10::cuda::device_synchronize();  // what the work reads may still be in another queue
    const c10::cuda::CUDAStreamGuard aside(c10::cuda::getStreamFromPool(false, device_.index()));
    constexpr int kWarmUp = 3;  // cuBLAS and the allocator set themselves up, which can't be recorded
    for (int i = 0; i < kWarmUp; ++i) work();
    c10::cuda::device_synchronize();
    graph_.capture_begin();
    try {
      work();
    } catch (...) {
      end_after_failure();
      throw;
    }
    graph_.capture_end();
    c10::cuda::device_synchronize();
  }

  void replay() override {
    const c10::cuda::CUDAGuard on_device(device_.index());
    graph_.replay();
  }

 private:
  // The failure that is under way says more than that of a recording which it cut off.
  void end_after_failure() {
    try {
      graph_.capture_end();
    } catch (const std::exception&) {
      return;
    }
  }

  c10::Device device_;
  at::cuda::CUDAGraph graph_;
};

}  // namespace

std::unique_ptr<GraphRecording> record_on_cuda(const c10::Device& device,
                                               const std::function<void()>& work) {
  return std::make_unique<CudaRecording>(device, work);
}

}  // namespace farstate::ops
