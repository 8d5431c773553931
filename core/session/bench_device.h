// SPDX-License-Identifier: GPL-3.0-or-later
// bench() on a GPU: the same work and figures, for what its matrix products' operands are rounded to.
#pragma once

#include "core/session/bench.h"

namespace farstate {

// Refuses a device that fails its selftest (kInternal), and none (kBadInput).
BenchReport bench_on_device(const BenchJob& job,
                            const std::function<void(const BenchReport&, const BenchPlan&)>& on_plan,
                            const std::function<void(const BenchReport&)>& on_figure,
                            const ProgressSink& progress);

}  // namespace farstate
