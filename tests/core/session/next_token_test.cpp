// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/next_token.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

namespace farstate {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

// Probabilities 0.5, 0.3, 0.15, 0.05 up to rounding, and two rows that no token has.
const std::vector<float> kLogits = {std::log(0.15F), std::log(0.5F), std::log(0.05F),
                                    std::log(0.3F)};
std::vector<float> padded(float logit) {
  std::vector<float> logits = kLogits;
  logits.insert(logits.end(), 2, logit);
  return logits;
}

// A float's logarithm is off by an ulp or two of a number up to 3.
constexpr double kRounding = 1e-6;

std::map<int64_t, double> shares(const NextTokenDistribution& next, const SamplingConfig& config) {
  constexpr int64_t kDraws = 40000;
  Rng rng(3, RngStream::kSampling);
  std::map<int64_t, double> share;
  for (int64_t i = 0; i < kDraws; ++i) share[next.draw(config, rng)] += 1.0 / kDraws;
  return share;
}

// Five standard deviations of a share of 40000 draws.
constexpr double kChance = 5 * 0.5 / 200;

TEST(NextToken, NumbersAreThoseOfTheDistribution) {
  const NextTokenDistribution next(kLogits, 4);
  EXPECT_NEAR(next.loss(1), -std::log(0.5), kRounding);
  EXPECT_NEAR(next.entropy(),
              -(0.5 * std::log(0.5) + 0.3 * std::log(0.3) + 0.15 * std::log(0.15) +
                0.05 * std::log(0.05)),
              kRounding);
  const auto top = next.top(3);
  ASSERT_EQ(top.size(), 3U);
  EXPECT_EQ(top[0].first, 1);
  EXPECT_EQ(top[1].first, 3);
  EXPECT_EQ(top[2].first, 0);
  EXPECT_NEAR(top[1].second, 0.3, kRounding);
  EXPECT_EQ(next.top(99).size(), 4U);

  const NextTokenDistribution even(std::vector<float>(4, 7.0F), 4);
  EXPECT_NEAR(even.entropy(), std::log(4.0), kRounding);
  EXPECT_NEAR(next.divergence_to(even), std::log(4.0) - next.entropy(), kRounding);
  EXPECT_EQ(next.divergence_to(next), 0);
}

TEST(NextToken, DrawsByProbabilityAndTemperature) {
  const NextTokenDistribution next(kLogits, 4);
  SamplingConfig config;
  std::map<int64_t, double> share = shares(next, config);
  EXPECT_NEAR(share[1], 0.5, kChance);
  EXPECT_NEAR(share[3], 0.3, kChance);
  EXPECT_NEAR(share[0], 0.15, kChance);
  config.temperature = 0.5;  // squares: 0.25, 0.09, 0.0225, 0.0025 of 0.365
  share = shares(next, config);
  EXPECT_NEAR(share[1], 0.25 / 0.365, kChance);
  EXPECT_NEAR(share[3], 0.09 / 0.365, kChance);
  config.temperature = 0;
  EXPECT_THAT(shares(next, config), ElementsAre(Pair(1, ::testing::DoubleNear(1, kRounding))));
}

TEST(NextToken, TopPIsTheSmallestSetThatReachesIt) {
  const NextTokenDistribution next(kLogits, 4);
  SamplingConfig config;
  config.top_p = 0.49;
  EXPECT_EQ(shares(next, config).size(), 1U);
  config.top_p = 0.79;
  std::map<int64_t, double> share = shares(next, config);
  EXPECT_EQ(share.size(), 2U);
  EXPECT_NEAR(share[1], 0.5 / 0.8, kChance);
  config.top_p = 0.9;
  EXPECT_EQ(shares(next, config).size(), 3U);
}

TEST(NextToken, TopPReachesFarIntoALargeVocabulary) {
  // More equally likely tokens than are looked at first.
  const NextTokenDistribution even(std::vector<float>(1000, 0.0F), 1000);
  SamplingConfig config;
  config.top_p = 0.5;
  const std::map<int64_t, double> share = shares(even, config);
  EXPECT_EQ(share.size(), 500U);
  EXPECT_EQ(share.rbegin()->first, 499) << "of equals the smaller id comes first";
}

TEST(NextToken, RowsWithoutATokenCountInLossesAndAreNeverDrawn) {
  const NextTokenDistribution next(padded(std::log(0.5F)), 4);  // two more of 0.5: half of all
  EXPECT_NEAR(next.loss(1), -std::log(0.25), kRounding);
  EXPECT_EQ(next.top(99).size(), 4U);
  for (const auto& [id, share] : shares(next, {})) EXPECT_LT(id, 4);
}

TEST(NextToken, SaysWhatIsNotFinite) {
  EXPECT_TRUE(NextTokenDistribution(kLogits, 4).finite());
  EXPECT_FALSE(NextTokenDistribution(padded(std::nanf("")), 4).finite());
  EXPECT_FALSE(NextTokenDistribution(padded(std::numeric_limits<float>::infinity()), 4).finite());
}

}  // namespace
}  // namespace farstate
