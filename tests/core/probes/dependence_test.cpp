// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probes/dependence.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "core/base/error.h"
#include "tests/support/synthetic_states.h"

namespace farstate {
namespace {

using namespace farstate::testing;

TEST(EffectiveRank, OfMatricesWithKnownSingularValues) {
  // Gram matrices in fp64 of float inputs: singular values to 1e-8 of the largest.
  EXPECT_NEAR(effective_rank(at::eye(5)).value, 5, 1e-6);
  const at::Tensor outer = at::outer(at::arange(1, 5, at::kFloat), at::arange(1, 8, at::kFloat));
  EXPECT_NEAR(effective_rank(outer).value, 1, 1e-5);
  EXPECT_EQ(effective_rank(at::zeros({3, 4})).value, 0);
  // Singular values 3 and 1: p = 3/4, 1/4.
  const at::Tensor diagonal = at::tensor({3.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f}).view({2, 3});
  const EffectiveRank rank = effective_rank(diagonal);
  EXPECT_NEAR(rank.value, std::exp(-0.75 * std::log(0.75) - 0.25 * std::log(0.25)), 1e-9);
  EXPECT_THAT(rank.singular_values, ::testing::Pointwise(::testing::DoubleNear(1e-9),
                                                         std::vector<double>{3, 1}));
  EXPECT_NEAR(effective_rank(diagonal.t()).value, rank.value, 1e-9);
  EXPECT_NEAR(effective_rank(diagonal * 1e-3).value, rank.value, 1e-6);  // of scale: independent
}

// Every number against its plain definition: the P*N x P*N correlation matrix of the elements.
TEST(Dependence, AgreesWithTheWholeCorrelationMatrix) {
  const int64_t P = 3, N = 5, R = 12, E = P * N;
  const at::Tensor states = low_rank(R, P, N, 2, 0.5, 1);
  const Dependence d = measure_dependence(states);
  const at::Tensor x = states.view({R, E}).to(at::kDouble);
  const at::Tensor y = (x - x.mean(0)) / x.std(0, false);
  const at::Tensor C = y.t().mm(y) / R;
  const at::Tensor eigenvalues = at::linalg_eigvalsh(C).flip(0) / E;
  // Standardised in float32: 6e-8 relative in each of at most 15 x 12 terms.
  constexpr double kTolerance = 1e-5;
  ASSERT_EQ(d.spectrum.size(), 11u);
  for (size_t i = 0; i < d.spectrum.size(); ++i) {
    EXPECT_NEAR(d.spectrum[i], eigenvalues[int64_t(i)].item<double>(), kTolerance);
  }
  double row = 0, column = 0, elsewhere = 0;
  for (int64_t i = 0; i < E; ++i) {
    for (int64_t j = 0; j < E; ++j) {
      const double squared = std::pow(C[i][j].item<double>(), 2);
      if (i == j) continue;
      (i / N == j / N ? row : i % N == j % N ? column : elsewhere) += squared;
    }
  }
  const double chance = 1.0 / (R - 1);
  EXPECT_NEAR(d.same_row.squared, row / (P * N * (N - 1)) - chance, kTolerance);
  EXPECT_NEAR(d.same_column.squared, column / (P * N * (P - 1)) - chance, kTolerance);
  EXPECT_NEAR(d.elsewhere.squared, elsewhere / (E * (E - 1) - P * N * (N + P - 2)) - chance,
              kTolerance);
  EXPECT_NEAR(d.all.squared, (row + column + elsewhere) / (E * (E - 1)) - chance, kTolerance);
  EXPECT_EQ(d.components, 2);
  EXPECT_NEAR(d.leading_share.value, d.spectrum[0] + d.spectrum[1], 1e-12);
  const at::Tensor sizes = y.square().mean(1);
  EXPECT_NEAR(d.size_variance.value, sizes.var(0, false).item<double>(), kTolerance);
}

TEST(Dependence, ShufflingIsSeededAndKeepsTheElements) {
  const at::Tensor states = outer_products(16, 4, 6, 0.5, 1);
  DependenceOptions options;
  const Dependence first = measure_dependence(states, options);
  EXPECT_EQ(measure_dependence(states, options).rank.shuffled_mean, first.rank.shuffled_mean);
  options.seed = 1;
  const Dependence other = measure_dependence(states, options);
  EXPECT_NE(other.rank.shuffled_mean, first.rank.shuffled_mean);
  EXPECT_EQ(other.rank.value, first.rank.value);
  EXPECT_EQ(other.spectrum, first.spectrum);
}

// The bias that chance adds is known exactly: on average over seeds nothing is left.
TEST(Dependence, IndependentElementsShowNoCorrelation) {
  double mean = 0, error = 0;
  const int seeds = 20;
  for (int seed = 0; seed < seeds; ++seed) {
    const Dependence d = measure_dependence(gaussian(16, 8, 16, uint64_t(seed)));
    EXPECT_LT(std::abs(d.all.squared), 5 * d.all.squared_error) << seed;
    EXPECT_LT(std::abs(d.same_row.squared), 5 * d.same_row.squared_error) << seed;
    EXPECT_LT(std::abs(d.same_column.squared), 5 * d.same_column.squared_error) << seed;
    mean += d.all.squared / seeds;
    error = d.all.squared_error / std::sqrt(double(seeds));
  }
  EXPECT_LT(std::abs(mean), 4 * error);
}

// With a share c of the variance from a factor per row, two elements of a row correlate by c.
TEST(Dependence, RecoversCorrelationAndDimensionOfKnownFactors) {
  const double c = 0.5;
  const Dependence d = measure_dependence(row_factors(256, 8, 16, c, 3));
  EXPECT_NEAR(d.same_row.rms, c, 0.05);
  EXPECT_LT(d.same_column.rms, 0.02);
  EXPECT_LT(d.elsewhere.rms, 0.02);
  // Mean squared correlation of all pairs: c^2 x 15/127; dimension 128 / (1 + 127 x that) = 26.9.
  EXPECT_NEAR(d.effective_dimension, 128 / (1 + c * c * 15), 4);
}

TEST(Dependence, OuterProductsAreOfLowRankThoughUncorrelated) {
  const Dependence d = measure_dependence(outer_products(64, 16, 32, 0.8, 2));
  EXPECT_LT(d.rank.value, 0.6 * d.rank.shuffled_mean);
  EXPECT_LT(d.all.rms, 0.05);
  EXPECT_LT(std::abs(d.leading_share.excess()), 0.05);
}

TEST(Dependence, ConstantElementsAreLeftOut) {
  at::Tensor states = gaussian(16, 4, 8, 5);
  states.select(1, 2).fill_(3.0f);
  const Dependence d = measure_dependence(states);
  EXPECT_EQ(d.constant, 8);
  EXPECT_LT(std::abs(d.all.squared), 5 * d.all.squared_error);
  EXPECT_NEAR(std::accumulate(d.spectrum.begin(), d.spectrum.end(), 0.0), 1, 1e-5);
  const Dependence dead = measure_dependence(at::zeros({8, 4, 8}));
  EXPECT_EQ(dead.constant, 32);
  EXPECT_EQ(dead.leading_share.value, 0);
  EXPECT_EQ(dead.all.rms, 0);
}

TEST(Dependence, RefusesTooFewStatesAndNumbersThatAreNotFinite) {
  EXPECT_THROW(measure_dependence(gaussian(7, 2, 2, 0)), Error);
  EXPECT_THROW(measure_dependence(at::zeros({8, 4})), Error);
  at::Tensor states = gaussian(8, 2, 2, 0);
  states[3][1][1] = std::numeric_limits<float>::infinity();
  try {
    measure_dependence(states);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kDiverged);
  }
}

}  // namespace
}  // namespace farstate
