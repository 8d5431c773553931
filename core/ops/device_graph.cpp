// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/device_graph.h"

#include <utility>

#include "core/ops/backend.h"

namespace farstate::ops {

DeviceGraph::DeviceGraph(const c10::Device& device, std::function<void()> work)
    : work_(std::move(work)) {
  if constexpr (kHasCudaKernels) {
    if (device.is_cuda()) recording_ = record_on_cuda(device, work_);
  }
}

}  // namespace farstate::ops
