// SPDX-License-Identifier: GPL-3.0-or-later
// A sample of numbers in one dimension: moments, histogram, quantiles, and how far it is from
// another sample or from a Gaussian. The functions on sorted samples take ascending, finite
// numbers, at least one of each; draw_sample() makes such samples of anything.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace farstate {

// In fp64 about the running mean, so that a large mean does not cancel the rest; two of them can
// be merged (Pébay 2008, Sandia report SAND2008-6212).
struct Moments {
  int64_t count = 0;
  double mean = 0;
  double central[3] = {0, 0, 0};  // sums of (x - mean)^2, ^3, ^4
  double min = 0;                 // of an empty sample: 0
  double max = 0;

  void add(std::span<const float> values);
  void merge(const Moments& other);

  double variance() const;         // of the population: divided by count
  double std() const;
  double skewness() const;         // 0 where all values are equal
  double excess_kurtosis() const;  // likewise; 0 for a Gaussian
};

Moments moments(std::span<const float> values);

// What is left of a sample that was too large to sort, or held numbers that are not finite.
struct Sample {
  std::vector<float> sorted;
  int64_t total = 0;       // numbers given
  int64_t not_finite = 0;  // of these, left out
  bool thinned = false;    // a random part of the finite ones, without replacement
};

// At most `budget` of the finite values, sorted. The same seed takes the same ones.
Sample draw_sample(std::span<const float> values, int64_t budget, uint64_t seed);

// Bin i counts [edges[i], edges[i+1]), the last one its upper edge too.
struct Histogram {
  std::vector<double> edges;    // one more than counts
  std::vector<int64_t> counts;
  int64_t below = 0;  // what the edges leave out
  int64_t above = 0;
};

// Equal bins over the middle 99.8 % of the reference, with a tenth of that width on both sides: a
// few outliers should not squeeze everything else into one bin.
std::vector<double> histogram_edges(std::span<const float> sorted_reference, int64_t bins);
Histogram histogram(std::span<const float> values, std::vector<double> edges);

// Kolmogorov-Smirnov: the largest distance between the two distribution functions.
double ks_distance(std::span<const float> sorted_a, std::span<const float> sorted_b);
double ks_distance_to_gaussian(std::span<const float> sorted, double mean, double std);
// Wasserstein-1: the area between the two distribution functions, in the unit of the values.
double wasserstein_1(std::span<const float> sorted_a, std::span<const float> sorted_b);

double normal_cdf(double x);
double normal_quantile(double probability);  // (0, 1); -inf at 0, +inf at 1

// Hazen's rule: the i-th of n values, from 0, is the quantile of (i + 1/2) / n; linear between.
double quantile(std::span<const float> sorted, double probability);

// Quantiles of the standard Gaussian, evenly spaced between those of the smallest and the largest of
// n values: the tails get as many points as they fill of the axis.
std::vector<double> plot_quantiles(size_t n, int64_t points);

struct QuantilePlot {
  std::vector<double> x;  // of the Gaussian, or of the reference
  std::vector<double> y;  // of the sample
};

// At plot_quantiles().
QuantilePlot quantile_plot(std::span<const float> sorted, double mean, double std, int64_t points);
QuantilePlot quantile_plot(std::span<const float> sorted, std::span<const float> sorted_reference,
                           int64_t points);

}  // namespace farstate
