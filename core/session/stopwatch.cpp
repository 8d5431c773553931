// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/stopwatch.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "core/base/stop.h"

namespace farstate {

Timing time_work(const std::function<void()>& work, const TimingPace& pace,
                 const std::function<void()>& wait) {
  const auto seconds_of_run = [&] {
    throw_if_stopped();
    const auto begin = std::chrono::steady_clock::now();
    work();
    if (wait) wait();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  const double first = seconds_of_run();
  if (first > pace.patience) return {1, first, false};
  std::vector<double> times;
  for (double spent = 0; std::ssize(times) < pace.runs || spent < pace.seconds; spent += times.back()) {
    times.push_back(seconds_of_run());
  }
  const auto middle = times.begin() + std::ssize(times) / 2;
  std::nth_element(times.begin(), middle, times.end());
  return {std::ssize(times), *middle, true};
}

double expected_seconds(double once, const TimingPace& pace) {
  if (once > pace.patience) return once;
  return once + std::max(static_cast<double>(pace.runs) * once, pace.seconds);
}

}  // namespace farstate
