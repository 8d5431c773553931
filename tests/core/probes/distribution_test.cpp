// SPDX-License-Identifier: GPL-3.0-or-later
// Against scipy and numpy (tools/make_distribution_golden.py), and what must hold of any sample.
#include "core/probes/distribution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/base/rng.h"

namespace farstate {
namespace {

using nlohmann::json;

const json& golden() {
  static const json all =
      json::parse(std::ifstream(FARSTATE_GOLDEN_DIR "/distribution/golden.json"));
  return all;
}

std::vector<float> normals(size_t count, uint64_t seed, float mean = 0, float std = 1) {
  std::vector<float> values(count);
  Rng(seed, RngStream::kMeasure).fill_normal(values, mean, std);
  return values;
}

std::vector<float> sorted(std::vector<float> values) {
  std::sort(values.begin(), values.end());
  return values;
}

// Fewer than 100 additions in fp64 on both sides: 100 epsilon of the terms' size.
constexpr double kRounding = 100 * std::numeric_limits<double>::epsilon();

TEST(Distribution, AgreesWithScipy) {
  for (const auto& [name, expected] : golden()["cases"].items()) {
    SCOPED_TRACE(name);
    const auto a = expected["a"].get<std::vector<float>>();
    const auto b = expected["b"].get<std::vector<float>>();
    // Two divisions and a difference, of at most 1; scipy takes the nearest multiple of 1/lcm(n,m).
    constexpr double kUlps = 2 * std::numeric_limits<double>::epsilon();
    EXPECT_NEAR(ks_distance(a, b), expected["ks"], kUlps);
    EXPECT_NEAR(ks_distance(b, a), expected["ks"], kUlps);
    EXPECT_NEAR(ks_distance_to_gaussian(a, 0.25, 1.5), expected["ks_gaussian"], kRounding);
    const double largest = std::max(std::abs(double(a.back())), std::abs(double(b.back())));
    EXPECT_NEAR(wasserstein_1(a, b), expected["wasserstein"], kRounding * largest);
    EXPECT_NEAR(wasserstein_1(b, a), expected["wasserstein"], kRounding * largest);
    for (size_t i = 0; i < golden()["quantile_at"].size(); ++i) {
      EXPECT_NEAR(quantile(a, golden()["quantile_at"][i]), expected["quantiles"][i],
                  kRounding * largest);
    }
  }
}

TEST(Distribution, MomentsAgreeWithScipy) {
  for (const auto& [name, expected] : golden()["cases"].items()) {
    SCOPED_TRACE(name);
    const auto a = expected["a"].get<std::vector<float>>();
    const Moments m = moments(a);
    EXPECT_EQ(m.count, static_cast<int64_t>(a.size()));
    EXPECT_EQ(m.min, a.front());
    EXPECT_EQ(m.max, a.back());
    // The mean's rounding enters the differences from it, so errors are relative to |mean| / std.
    const double conditioning =
        kRounding * (1 + (m.std() > 0 ? std::abs(m.mean) / m.std() : 0));
    EXPECT_NEAR(m.mean, expected["mean"], kRounding * std::abs(m.mean));
    EXPECT_NEAR(m.std(), expected["std"], conditioning * m.std());
    EXPECT_NEAR(m.skewness(), expected["skewness"], 10 * conditioning);
    EXPECT_NEAR(m.excess_kurtosis(), expected["excess_kurtosis"],
                10 * conditioning * (3 + std::abs(m.excess_kurtosis())));
  }
}

TEST(Distribution, HistogramAgreesWithNumpy) {
  for (const auto& [name, expected] : golden()["cases"].items()) {
    SCOPED_TRACE(name);
    const auto a = expected["a"].get<std::vector<float>>();
    const Histogram h = histogram(a, expected["edges"]);
    EXPECT_EQ(h.counts, expected["counts"].get<std::vector<int64_t>>());
    EXPECT_EQ(h.below + h.above + std::accumulate(h.counts.begin(), h.counts.end(), int64_t{0}),
              static_cast<int64_t>(a.size()));
  }
}

TEST(Distribution, NormalQuantileIsExactToFp64) {
  const json& p = golden()["probabilities"];
  for (size_t i = 0; i < p.size(); ++i) {
    const double want = golden()["normal_quantiles"][i];
    // A relative error e of p moves the quantile by e p / density, less than e / |x| in the tails
    // and 1.3 e near the middle. The last probability is 1 - 1e-10, whose neighbours in fp64 are
    // 1e-16 apart, 1e-6 of the tail: both sides subtract it exactly.
    EXPECT_NEAR(normal_quantile(p[i]), want, 8e-16 * (1 + std::abs(want))) << p[i];
  }
  EXPECT_EQ(normal_quantile(0), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(normal_quantile(1), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(normal_quantile(-0.1)));
  EXPECT_TRUE(std::isnan(normal_quantile(std::numeric_limits<double>::quiet_NaN())));
}

TEST(Moments, MergedAreThoseOfTheWhole) {
  // 3 blocks and a rest, about a mean that is 1000 times the standard deviation.
  const std::vector<float> values = normals(3500, 1, 1000);
  const Moments whole = moments(values);
  Moments merged;
  for (size_t at = 0; at < values.size(); at += 700) {
    merged.merge(moments(std::span(values).subspan(at, 700)));
  }
  merged.merge(Moments{});
  EXPECT_EQ(merged.count, whole.count);
  // Rounding of the mean, 1e3 epsilon of the standard deviation, over sqrt(3500) random signs.
  const double tolerance = 1e5 * std::numeric_limits<double>::epsilon();
  EXPECT_NEAR(merged.mean, whole.mean, 1e3 * tolerance);
  EXPECT_NEAR(merged.std(), whole.std(), tolerance);
  EXPECT_NEAR(merged.skewness(), whole.skewness(), tolerance);
  EXPECT_NEAR(merged.excess_kurtosis(), whole.excess_kurtosis(), 10 * tolerance);
}

TEST(Moments, OfNothingAndOfEqualValues) {
  EXPECT_EQ(Moments{}.std(), 0);
  const Moments equal = moments(std::vector<float>(5, 3.0f));
  EXPECT_EQ(equal.mean, 3);
  EXPECT_EQ(equal.std(), 0);
  EXPECT_EQ(equal.skewness(), 0);
  EXPECT_EQ(equal.excess_kurtosis(), 0);
}

TEST(Sample, KeepsEverythingWithinItsBudget) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const Sample sample = draw_sample(std::vector<float>{3, nan, 1, infinity, 2}, 3, 0);
  EXPECT_THAT(sample.sorted, ::testing::ElementsAre(1, 2, 3));
  EXPECT_EQ(sample.total, 5);
  EXPECT_EQ(sample.not_finite, 2);
  EXPECT_FALSE(sample.thinned);
}

TEST(Sample, ThinnedIsAPartOfTheWholeAndSaysSo) {
  std::vector<float> values(10000);
  std::iota(values.begin(), values.end(), 0.0f);
  const Sample sample = draw_sample(values, 1000, 5);
  EXPECT_TRUE(sample.thinned);
  ASSERT_EQ(sample.sorted.size(), 1000u);
  EXPECT_TRUE(std::adjacent_find(sample.sorted.begin(), sample.sorted.end()) ==
              sample.sorted.end());  // without replacement
  EXPECT_EQ(draw_sample(values, 1000, 5).sorted, sample.sorted);
  EXPECT_NE(draw_sample(values, 1000, 6).sorted, sample.sorted);
  // Uniform over the whole: 1.95 / sqrt(n) is exceeded once in a thousand seeds.
  EXPECT_LT(ks_distance(sample.sorted, values), 1.95 / std::sqrt(1000.0));
}

TEST(Histogram, EdgesLeaveOutliersOutside) {
  std::vector<float> values = normals(10000, 2);
  values[0] = 1e6f;
  const std::vector<double> edges = histogram_edges(sorted(values), 40);
  ASSERT_EQ(edges.size(), 41u);
  EXPECT_GT(edges.front(), -5);
  EXPECT_LT(edges.back(), 5);
  const Histogram h = histogram(values, edges);
  EXPECT_GE(h.above, 1);
  EXPECT_LT(h.below + h.above, 10000 / 500);
}

TEST(Histogram, OfAConstantHoldsIt) {
  for (const float value : {0.0f, -3.5f}) {
    const std::vector<float> values(7, value);
    const Histogram h = histogram(values, histogram_edges(values, 4));
    EXPECT_EQ(std::accumulate(h.counts.begin(), h.counts.end(), int64_t{0}), 7);
  }
}

TEST(QuantilePlot, GaussianSampleLiesOnTheDiagonal) {
  const QuantilePlot plot = quantile_plot(sorted(normals(200000, 3, 2, 5)), 2, 5, 101);
  ASSERT_EQ(plot.x.size(), 101u);
  EXPECT_TRUE(std::is_sorted(plot.y.begin(), plot.y.end()));
  EXPECT_NEAR(plot.x[50], 2, 1e-9);
  for (size_t i = 1; i < plot.x.size(); ++i) {
    EXPECT_NEAR(plot.x[i] - plot.x[i - 1], plot.x[51] - plot.x[50], 1e-9);  // evenly spaced
  }
  // Within 3 standard deviations the standard error of a quantile is below 0.04 of the spread.
  for (size_t i = 0; i < plot.x.size(); ++i) {
    if (std::abs(plot.x[i] - 2) < 15) {
      EXPECT_NEAR(plot.y[i], plot.x[i], 4 * 0.04 * 5);
    }
  }
}

TEST(QuantilePlot, ReachesTheExtremesAndAgainstItselfIsTheDiagonal) {
  const std::vector<float> values = sorted(normals(500, 4));
  const QuantilePlot plot = quantile_plot(values, values, 21);
  EXPECT_EQ(plot.x, plot.y);
  EXPECT_NEAR(plot.y.front(), values.front(), 1e-6);
  EXPECT_NEAR(plot.y.back(), values.back(), 1e-6);
}

// A head of 8192 elements in 8 sequences, sorted; printed, since a machine's speed is no property
// of the code.
TEST(Distribution, CostOfAHead) {
  const std::vector<float> a = normals(8192 * 8, 8);
  const std::vector<float> b = normals(8192 * 8, 9, 0.1f);
  const auto start = std::chrono::steady_clock::now();
  const Sample sa = draw_sample(a, 1 << 20, 0);
  const Sample sb = draw_sample(b, 1 << 20, 0);
  const auto ready = std::chrono::steady_clock::now();
  const double ks = ks_distance(sa.sorted, sb.sorted);
  const double w1 = wasserstein_1(sa.sorted, sb.sorted);
  const auto end = std::chrono::steady_clock::now();
  const auto ms = [](auto d) { return std::chrono::duration<double, std::milli>(d).count(); };
  std::cout << "two sorts " << ms(ready - start) << " ms, KS and W1 " << ms(end - ready) << " ms\n";
  EXPECT_NEAR(w1, 0.1, 0.02);  // a shift of the mean; standard error sqrt(2 / 65536) = 0.006
  EXPECT_NEAR(ks, 0.04, 0.02);
}

}  // namespace
}  // namespace farstate
