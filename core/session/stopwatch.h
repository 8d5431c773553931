// SPDX-License-Identifier: GPL-3.0-or-later
// How long a piece of work takes: the median of several runs, after one that warms up.
#pragma once

#include <functional>

#include "core/results/bench_report.h"

namespace farstate {

struct TimingPace {
  int64_t runs = 5;     // at least
  double seconds = 1;   // at least, of all that is counted
  // Work whose first run takes longer is not repeated: what a first run pays for once is then a small
  // part of it.
  double patience = 10;
};

// `wait` ends when all of the work has, where a device goes on by itself. A stop throws.
Timing time_work(const std::function<void()>& work, const TimingPace& pace,
                 const std::function<void()>& wait = {});

// What that will take for work of about so many seconds.
double expected_seconds(double once, const TimingPace& pace);

}  // namespace farstate
