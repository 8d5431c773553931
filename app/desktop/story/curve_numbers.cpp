// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/story/curve_numbers.h"

#include <cmath>

namespace farstate::desktop {

std::optional<double> mean_within(const Series& series, int64_t begin, int64_t end) {
  double sum = 0, positions = 0;
  for (size_t i = 0; i < series.x.size(); ++i) {
    if (series.bin_begin.size() <= i || series.bin_end.size() <= i) return std::nullopt;
    const int64_t first = std::max(series.bin_begin[i], begin);
    const int64_t last = std::min(series.bin_end[i], end);
    // A bin belongs where most of it lies: bins need not end at T.
    if (2 * (last - first) < series.bin_end[i] - series.bin_begin[i] || last <= first) continue;
    const auto count = static_cast<double>(series.bin_end[i] - series.bin_begin[i]);
    sum += count * series.y[i];
    positions += count;
  }
  if (positions == 0) return std::nullopt;
  return sum / positions;
}

namespace {

std::optional<double> at_half(const Series& effrem) {
  if (effrem.x.empty()) return std::nullopt;
  const auto sample = nearest_sample(effrem.x, effrem.x.back() / 2, /*log=*/false);
  return sample ? std::optional(effrem.y[*sample]) : std::nullopt;
}

// Up or down: what changes most, changes by the largest factor either way.
std::optional<double> growth_of(const Measurement& m, int64_t context) {
  std::optional<double> most;
  for (const Series& series : m.series) {
    if (series.name != "state_norm" || !series.head || series.y.empty()) continue;
    const auto at_t = sample_at(series, static_cast<double>(context));
    if (!at_t || !(series.y[*at_t] > 0)) continue;
    const double ratio = series.y.back() / series.y[*at_t];
    if (!(ratio > 0) || !std::isfinite(ratio)) continue;
    if (!most || std::abs(std::log(ratio)) > std::abs(std::log(*most))) most = ratio;
  }
  return most;
}

}  // namespace

CurveNumbers numbers_of(const Measurement& m, int64_t context, const std::string& name) {
  CurveNumbers out;
  if (context <= 0) return out;
  if (const Series* perplexity = find_series(m.series, name)) {
    out.within = mean_within(*perplexity, context / 2, context);
    out.past = mean_within(*perplexity, 8 * context, 16 * context);
  }
  if (const Series* effrem = find_series(m.series, "effrem")) out.remembrance = at_half(*effrem);
  out.growth = growth_of(m, context);
  return out;
}

}  // namespace farstate::desktop
