// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/rng.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

namespace farstate {
namespace {

TEST(Rng, SameSeedStreamAndStepSameNumbers) {
  Rng a(7, RngStream::kBatch, 3);
  Rng b(7, RngStream::kBatch, 3);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.next(), b.next());
}

TEST(Rng, SeedStreamAndStepAllMatter) {
  std::set<uint64_t> first;
  for (uint64_t seed = 0; seed < 5; ++seed) {
    for (const RngStream stream : {RngStream::kInit, RngStream::kBatch, RngStream::kSampling}) {
      for (uint64_t step = 0; step < 5; ++step) first.insert(Rng(seed, stream, step).next());
    }
  }
  EXPECT_EQ(first.size(), 5U * 3U * 5U);
}

TEST(Rng, MomentsOfUniformAndNormal) {
  Rng rng(1, RngStream::kInit);
  constexpr int n = 200000;
  double mean = 0, square = 0, normal_mean = 0, normal_square = 0, normal_fourth = 0;
  for (int i = 0; i < n; ++i) {
    const double u = rng.uniform();
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    mean += u / n;
    square += u * u / n;
  }
  for (int i = 0; i < n; ++i) {
    const double z = rng.normal();
    normal_mean += z / n;
    normal_square += z * z / n;
    normal_fourth += z * z * z * z / n;
  }
  // Five standard errors of each moment: sqrt(variance/n).
  EXPECT_NEAR(mean, 0.5, 5 * std::sqrt(1.0 / 12 / n));
  EXPECT_NEAR(square, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / n));
  EXPECT_NEAR(normal_mean, 0.0, 5 * std::sqrt(1.0 / n));
  EXPECT_NEAR(normal_square, 1.0, 5 * std::sqrt(2.0 / n));
  EXPECT_NEAR(normal_fourth, 3.0, 5 * std::sqrt(96.0 / n));
}

TEST(Rng, BelowIsUniformAndInRange) {
  Rng rng(2, RngStream::kBatch);
  std::vector<int> counts(7);
  constexpr int n = 70000;
  for (int i = 0; i < n; ++i) {
    const int64_t value = rng.below(7);
    ASSERT_GE(value, 0);
    ASSERT_LT(value, 7);
    ++counts[static_cast<size_t>(value)];
  }
  for (const int count : counts) EXPECT_NEAR(count, n / 7.0, 5 * std::sqrt(n / 7.0));
  EXPECT_EQ(rng.below(1), 0);
}

TEST(Rng, FirstNumbersNeverChange) {
  // Runs recorded by an earlier version must replay: these values are part of the file formats.
  EXPECT_EQ(Rng(7, RngStream::kInit, 0).next(), 0xf4cbfcaa6891bd20ULL);
}

}  // namespace
}  // namespace farstate
