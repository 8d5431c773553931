// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/state_stats.h"

#include "core/ops/backend.h"
#include "core/ops/on_device.h"
#include "core/ops/op_support.h"
#include "kernels/state_stats/state_stats.h"

namespace farstate::ops {

torch::Tensor state_stats(const torch::Tensor& h) {
  if (takes_device_way(h)) return state_stats_on_device(h);
  expect_operand("state_stats", "h", h, 4);
  expect(h.is_contiguous(), "state_stats", "h contiguous", "a strided view");
  const torch::Tensor stats =
      torch::empty({h.size(0), h.size(1), 4}, h.options().dtype(torch::kDouble));
  with_real_type(h, [&](auto zero) {
    using Real = decltype(zero);
    kernels::StateStats<Real> args;
    args.rows = h.size(0) * h.size(1);
    args.elements = h.size(2) * h.size(3);
    args.h = h.data_ptr<Real>();
    args.stats = stats.data_ptr<double>();
    for_each_task(args.rows, 4.0 * static_cast<double>(args.elements),
                  [&](int64_t begin, int64_t end) { kernels::state_stats(args, begin, end); });
  });
  return stats;
}

}  // namespace farstate::ops
