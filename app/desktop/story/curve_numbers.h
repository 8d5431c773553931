// SPDX-License-Identifier: GPL-3.0-or-later
// The few numbers of a measurement that a lesson speaks of.
#pragma once

#include <optional>

#include "core/session/runner.h"

namespace farstate::desktop {

struct CurveNumbers {
  std::optional<double> within;       // mean perplexity in [T/2, T)
  std::optional<double> past;         // in [8T, 16T)
  std::optional<double> remembrance;  // EffRem with half of the tokens dropped
  std::optional<double> growth;  // norm at the end over that at T, of the head that changes most
};
// perplexity: the name of the series.
CurveNumbers numbers_of(const Measurement& measurement, int64_t context,
                        const std::string& perplexity = "perplexity");

// The mean over the positions [begin, end), by the bins that lie in it; empty: no bin does.
std::optional<double> mean_within(const Series& series, int64_t begin, int64_t end);

}  // namespace farstate::desktop
