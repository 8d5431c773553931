// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probes/position_bins.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace farstate {
namespace {

// 0.975 quantile of Student's t with n degrees of freedom: exact to three decimals for n <= 10,
// then the Cornish-Fisher expansion about the normal quantile (Abramowitz and Stegun 26.7.5) to
// its third term, whose error there is below 3e-4.
double t_quantile(size_t n) {
  constexpr double kExact[] = {12.706, 4.303, 3.182, 2.776, 2.571,
                               2.447,  2.365, 2.306, 2.262, 2.228};
  if (n <= std::size(kExact)) return kExact[n - 1];
  const double z = 1.959964;
  const double z3 = z * z * z;
  const double z5 = z3 * z * z;
  const auto v = static_cast<double>(n);
  const double z7 = z5 * z * z;
  return z + (z3 + z) / (4 * v) + (5 * z5 + 16 * z3 + 3 * z) / (96 * v * v) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * v * v * v);
}

}  // namespace

PositionBins PositionBins::logarithmic(int64_t last, int64_t per_octave) {
  PositionBins bins;
  const double ratio = std::exp2(1.0 / static_cast<double>(per_octave));
  double edge = 1.0;
  const auto odd_from = [](double e) { return 1 + 2 * static_cast<int64_t>(std::ceil((e - 1) / 2)); };
  for (int64_t from = 1; from <= last;) {
    while (odd_from(edge) <= from) edge *= ratio;
    const int64_t to = std::min(odd_from(edge), last + 1);
    bins.begin.push_back(from);
    bins.end.push_back(to);
    from = to;
  }
  return bins;
}

double PositionBins::centre(size_t bin) const {
  return std::sqrt(static_cast<double>(begin[bin]) * static_cast<double>(end[bin] - 1));
}

size_t PositionBins::within(int64_t position) const {
  return static_cast<size_t>(std::upper_bound(end.begin(), end.end(), position + 1) - end.begin());
}

size_t PositionBins::find(int64_t position) const {
  return static_cast<size_t>(std::upper_bound(begin.begin(), begin.end(), position) -
                             begin.begin()) -
         1;
}

MeanInterval mean_interval(std::span<const double> values) {
  MeanInterval result;
  const auto n = static_cast<double>(values.size());
  for (const double v : values) result.mean += v / n;
  if (values.size() < 2) {
    result.lower = result.upper = std::numeric_limits<double>::quiet_NaN();
    return result;
  }
  double squares = 0;
  for (const double v : values) squares += (v - result.mean) * (v - result.mean);
  const double error = std::sqrt(squares / (n - 1) / n);
  const double half = t_quantile(values.size() - 1) * error;
  result.lower = result.mean - half;
  result.upper = result.mean + half;
  return result;
}

MeanInterval ratio_interval(std::span<const double> x, std::span<const double> y) {
  const double mean_y = mean_interval(y).mean;
  const double ratio = mean_interval(x).mean / mean_y;
  std::vector<double> linear(x.size());
  for (size_t i = 0; i < x.size(); ++i) linear[i] = ratio + (x[i] - ratio * y[i]) / mean_y;
  return mean_interval(linear);
}

double quantile(std::vector<double> values, double share) {
  // NaN has no place in an order.
  for (const double v : values) {
    if (std::isnan(v)) return v;
  }
  std::sort(values.begin(), values.end());
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<size_t>(place);
  const size_t above = std::min(below + 1, values.size() - 1);
  return std::lerp(values[below], values[above], place - static_cast<double>(below));
}

void append(Series& series, double x, const MeanInterval& y) {
  series.x.push_back(x);
  series.y.push_back(y.mean);
  if (series.sequences > 1) {
    series.lower.push_back(y.lower);
    series.upper.push_back(y.upper);
  }
}

}  // namespace farstate
