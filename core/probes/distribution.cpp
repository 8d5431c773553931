// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probes/distribution.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/base/rng.h"

namespace farstate {
namespace {

// Two passes over a block that the cache holds; blocks are merged.
Moments block_moments(std::span<const float> values) {
  Moments block;
  block.count = static_cast<int64_t>(values.size());
  block.min = block.max = values.front();
  double sum = 0;
  for (const float v : values) {
    sum += v;
    block.min = std::min(block.min, double(v));
    block.max = std::max(block.max, double(v));
  }
  block.mean = sum / static_cast<double>(values.size());
  for (const float v : values) {
    const double d = v - block.mean;
    const double d2 = d * d;
    block.central[0] += d2;
    block.central[1] += d2 * d;
    block.central[2] += d2 * d2;
  }
  return block;
}

std::vector<double> plot_probabilities(size_t n, int64_t points) {
  std::vector<double> probabilities = plot_quantiles(n, points);
  for (double& p : probabilities) p = normal_cdf(p);
  return probabilities;
}

}  // namespace

void Moments::add(std::span<const float> values) {
  constexpr size_t kBlock = 1024;
  for (size_t at = 0; at < values.size(); at += kBlock) {
    merge(block_moments(values.subspan(at, std::min(kBlock, values.size() - at))));
  }
}

void Moments::merge(const Moments& other) {
  if (other.count == 0) return;
  if (count == 0) {
    *this = other;
    return;
  }
  const auto a = static_cast<double>(count);
  const auto b = static_cast<double>(other.count);
  const double n = a + b;
  const double delta = other.mean - mean;
  const double step = delta / n;
  const double fourth = central[2] + other.central[2] +
                        delta * step * step * step * a * b * (a * a - a * b + b * b) +
                        6 * step * step * (a * a * other.central[0] + b * b * central[0]) +
                        4 * step * (a * other.central[1] - b * central[1]);
  const double third = central[1] + other.central[1] + delta * step * step * a * b * (a - b) +
                       3 * step * (a * other.central[0] - b * central[0]);
  central[0] += other.central[0] + delta * step * a * b;
  central[1] = third;
  central[2] = fourth;
  mean += step * b;
  count += other.count;
  min = std::min(min, other.min);
  max = std::max(max, other.max);
}

double Moments::variance() const {
  return count == 0 ? 0 : central[0] / static_cast<double>(count);
}

double Moments::std() const { return std::sqrt(variance()); }

double Moments::skewness() const {
  if (central[0] == 0) return 0;
  return std::sqrt(static_cast<double>(count)) * central[1] / std::pow(central[0], 1.5);
}

double Moments::excess_kurtosis() const {
  if (central[0] == 0) return 0;
  return static_cast<double>(count) * central[2] / (central[0] * central[0]) - 3;
}

Moments moments(std::span<const float> values) {
  Moments result;
  result.add(values);
  return result;
}

Sample draw_sample(std::span<const float> values, int64_t budget, uint64_t seed) {
  Sample sample;
  sample.total = static_cast<int64_t>(values.size());
  const auto is_finite = [](float v) { return std::isfinite(v); };
  int64_t left = std::count_if(values.begin(), values.end(), is_finite);
  sample.not_finite = sample.total - left;
  int64_t wanted = std::min(budget, left);
  sample.thinned = wanted < left;
  sample.sorted.reserve(static_cast<size_t>(wanted));
  // Each value is taken with the probability wanted / left: every subset is equally likely.
  Rng rng(seed, RngStream::kMeasure);
  for (const float v : values) {
    if (!is_finite(v)) continue;
    if (!sample.thinned || rng.below(left) < wanted) {
      sample.sorted.push_back(v);
      --wanted;
    }
    --left;
  }
  std::sort(sample.sorted.begin(), sample.sorted.end());
  return sample;
}

std::vector<double> histogram_edges(std::span<const float> sorted_reference, int64_t bins) {
  double lower = quantile(sorted_reference, 0.001);
  double upper = quantile(sorted_reference, 0.999);
  // A constant reference has no width; any will do that floats near it can resolve.
  const double width = upper > lower ? upper - lower : std::max(1e-3 * std::abs(lower), 1e-30);
  lower -= width / 10;
  upper += width / 10;
  std::vector<double> edges;
  for (int64_t i = 0; i <= bins; ++i) {
    edges.push_back(lower + (upper - lower) * static_cast<double>(i) / static_cast<double>(bins));
  }
  return edges;
}

Histogram histogram(std::span<const float> values, std::vector<double> edges) {
  Histogram result;
  result.counts.assign(edges.size() - 1, 0);
  for (const float v : values) {
    if (v < edges.front()) {
      ++result.below;
    } else if (v > edges.back()) {
      ++result.above;
    } else if (!std::isnan(v)) {
      const auto above = std::upper_bound(edges.begin() + 1, edges.end() - 1, double(v));
      ++result.counts[static_cast<size_t>(above - edges.begin()) - 1];
    }
  }
  result.edges = std::move(edges);
  return result;
}

double ks_distance(std::span<const float> sorted_a, std::span<const float> sorted_b) {
  const auto n = static_cast<double>(sorted_a.size());
  const auto m = static_cast<double>(sorted_b.size());
  double largest = 0;
  size_t i = 0, j = 0;
  while (i < sorted_a.size() && j < sorted_b.size()) {
    // Both functions jump past all values that are equal before they are compared.
    const float x = std::min(sorted_a[i], sorted_b[j]);
    while (i < sorted_a.size() && sorted_a[i] == x) ++i;
    while (j < sorted_b.size() && sorted_b[j] == x) ++j;
    largest = std::max(largest, std::abs(double(i) / n - double(j) / m));
  }
  return largest;
}

double ks_distance_to_gaussian(std::span<const float> sorted, double mean, double std) {
  const auto n = static_cast<double>(sorted.size());
  double largest = 0;
  for (size_t i = 0; i < sorted.size(); ++i) {
    const double cdf = normal_cdf((sorted[i] - mean) / std);
    largest = std::max({largest, cdf - double(i) / n, double(i + 1) / n - cdf});
  }
  return largest;
}

double wasserstein_1(std::span<const float> sorted_a, std::span<const float> sorted_b) {
  const auto n = static_cast<double>(sorted_a.size());
  const auto m = static_cast<double>(sorted_b.size());
  double area = 0;
  double before = std::min(sorted_a.front(), sorted_b.front());
  size_t i = 0, j = 0;
  while (i < sorted_a.size() || j < sorted_b.size()) {
    const bool from_a = j == sorted_b.size() || (i < sorted_a.size() && sorted_a[i] < sorted_b[j]);
    const double x = from_a ? sorted_a[i] : sorted_b[j];
    area += std::abs(double(i) / n - double(j) / m) * (x - before);
    before = x;
    from_a ? ++i : ++j;
  }
  return area;
}

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

double normal_quantile(double probability) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (!(probability >= 0 && probability <= 1)) return std::numeric_limits<double>::quiet_NaN();
  if (probability == 0) return -kInfinity;
  if (probability == 1) return kInfinity;
  // In the lower half, where erfc keeps its relative precision; 1 - p is exact above a half.
  if (probability > 0.5) return -normal_quantile(1 - probability);
  // Abramowitz and Stegun 26.2.23, off by less than 4.5e-4.
  const double t = std::sqrt(-2 * std::log(probability));
  double x = (2.515517 + t * (0.802853 + t * 0.010328)) /
                 (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) -
             t;
  // Halley's method cubes the error, so the second step is at fp64's limit; where the density
  // itself underflows (p below 1e-307) x is kept as it is.
  for (int step = 0; step < 3; ++step) {
    const double density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
    if (density < std::numeric_limits<double>::min()) break;
    const double newton = (normal_cdf(x) - probability) / density;
    x -= newton / (1 + x * newton / 2);
  }
  return x;
}

double quantile(std::span<const float> sorted, double probability) {
  const auto last = static_cast<double>(sorted.size() - 1);
  const double index =
      std::clamp(probability * static_cast<double>(sorted.size()) - 0.5, 0.0, last);
  const auto below = static_cast<size_t>(index);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  const double low = sorted[below];
  return low + (index - static_cast<double>(below)) * (sorted[above] - low);
}

std::vector<double> plot_quantiles(size_t n, int64_t points) {
  std::vector<double> quantiles;
  const double outermost = -normal_quantile(0.5 / static_cast<double>(n));
  for (int64_t i = 0; i < points; ++i) {
    const double along = points == 1 ? 0.0 : 2.0 * static_cast<double>(i) / double(points - 1) - 1;
    quantiles.push_back(along * outermost);
  }
  return quantiles;
}

QuantilePlot quantile_plot(std::span<const float> sorted, double mean, double std,
                           int64_t points) {
  QuantilePlot plot;
  for (const double p : plot_probabilities(sorted.size(), points)) {
    plot.x.push_back(mean + std * normal_quantile(p));
    plot.y.push_back(quantile(sorted, p));
  }
  return plot;
}

QuantilePlot quantile_plot(std::span<const float> sorted, std::span<const float> sorted_reference,
                           int64_t points) {
  QuantilePlot plot;
  for (const double p :
       plot_probabilities(std::min(sorted.size(), sorted_reference.size()), points)) {
    plot.x.push_back(quantile(sorted_reference, p));
    plot.y.push_back(quantile(sorted, p));
  }
  return plot;
}

}  // namespace farstate
