// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/cuda_call.h"
#include "core/ops/on_device.h"
#include "kernels/state_stats/state_stats_cuda.h"

namespace farstate::ops {

torch::Tensor state_stats_cuda(const torch::Tensor& h) {
  const torch::Tensor stats =
      torch::empty({h.size(0), h.size(1), 4}, h.options().dtype(torch::kDouble));
  kernels::StateStats<float> args;
  args.rows = h.size(0) * h.size(1);
  args.elements = h.size(2) * h.size(3);
  args.h = h.data_ptr<float>();
  args.stats = stats.data_ptr<double>();
  const CudaCall call(h);
  kernels::cuda::state_stats(args, call.stream());
  return stats;
}

}  // namespace farstate::ops
