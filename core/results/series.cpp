// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/series.h"

#include <algorithm>
#include <cmath>

namespace farstate {

const Series* find_series(const std::vector<Series>& all, const std::string& name) {
  for (const Series& series : all) {
    if (series.name == name && !series.layer && !series.head) return &series;
  }
  return nullptr;
}

std::optional<size_t> sample_at(const Series& series, double position) {
  const size_t count = std::min(series.x.size(), series.y.size());
  if (series.bin_begin.size() >= count && series.bin_end.size() >= count && count > 0) {
    for (size_t i = 0; i < count; ++i) {
      if (position >= static_cast<double>(series.bin_begin[i]) &&
          position < static_cast<double>(series.bin_end[i])) {
        return i;
      }
    }
    // The length itself, 64T of 4,096 tokens say, is the end of the last bin.
    if (position == static_cast<double>(series.bin_end[count - 1])) return count - 1;
    return std::nullopt;
  }
  const auto nearest = nearest_sample(series.x, position, position > 0);
  if (!nearest || *nearest >= count) return std::nullopt;
  if (std::abs(series.x[*nearest] - position) > 0.1 * std::abs(position)) return std::nullopt;
  return nearest;
}

std::optional<size_t> nearest_sample(const std::vector<double>& xs, double x, bool log) {
  if (xs.empty() || std::isnan(x)) return std::nullopt;
  const auto above = std::lower_bound(xs.begin(), xs.end(), x);
  if (above == xs.begin()) return 0;
  if (above == xs.end()) return xs.size() - 1;
  const double low = *(above - 1), high = *above;
  const bool by_ratio = log && x > 0 && low > 0;
  const bool upper = by_ratio ? high / x < x / low : high - x < x - low;
  return static_cast<size_t>(above - xs.begin()) - (upper ? 0 : 1);
}

}  // namespace farstate
