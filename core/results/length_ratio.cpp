// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/length_ratio.h"

#include <cmath>

namespace farstate {
namespace {

// Over the bins that lie in [begin, end) with all of their positions.
std::optional<double> mean_log(const Series& series, int64_t begin, int64_t end) {
  double sum = 0, count = 0;
  for (size_t i = 0; i < series.y.size() && i < series.bin_end.size(); ++i) {
    if (series.bin_begin[i] < begin || series.bin_end[i] > end) continue;
    const auto positions = static_cast<double>(series.bin_end[i] - series.bin_begin[i]);
    sum += positions * std::log(series.y[i]);
    count += positions;
  }
  return count > 0 ? std::optional(sum / count) : std::nullopt;
}

}  // namespace

std::optional<double> length_ratio(const Series& perplexity, int64_t context) {
  const auto within = mean_log(perplexity, context / 2, context);
  const auto past = mean_log(perplexity, 8 * context, 16 * context);
  if (!within || !past) return std::nullopt;
  return std::exp(*past - *within);
}

}  // namespace farstate
