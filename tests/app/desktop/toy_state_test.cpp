// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/models/toy_state.h"

#include <gtest/gtest.h>

#include <cmath>

namespace farstate::desktop {
namespace {

constexpr int64_t kLong = 512, kTexts = 120, kWindows = 640;

double covered(const Toy& toy, ToyStart start, int64_t first, int64_t last) {
  return Toy::covered(toy.trained(start, kWindows), toy.texts(kTexts, kLong), first, last);
}

TEST(Toy, SpreadsAsItsVarianceSays) {
  const Toy toy({});
  const auto texts = toy.texts(4000, 64);
  double sum = 0, squares = 0;
  for (const auto& path : texts) {
    sum += path.back().x + path.back().y;
    squares += path.back().x * path.back().x + path.back().y * path.back().y;
  }
  double mean_x = 0, mean_y = 0;
  for (const auto& path : texts) {
    mean_x += path.back().x / static_cast<double>(texts.size());
    mean_y += path.back().y / static_cast<double>(texts.size());
  }
  const double variance =
      (squares / static_cast<double>(texts.size()) - mean_x * mean_x - mean_y * mean_y) / 2;
  // A variance from n values of each of two numbers has the relative deviation sqrt(2 / 2n) = 0.016;
  // five of these.
  EXPECT_NEAR(std::sqrt(variance) / toy.spread(64), 1, 0.04);
}

TEST(Toy, StaysInThePicture) {
  for (const double decay : {0.9, 0.98, 0.99}) {
    ToySettings settings;
    settings.decay = decay;
    const Toy toy(settings);
    const double half = toy.view_half_width();
    int64_t outside = 0, all = 0;
    for (const auto& path : toy.texts(kTexts, kLong)) {
      for (const ToyPoint& state : path) {
        ++all;
        outside += std::abs(state.x) > half || std::abs(state.y) > half ? 1 : 0;
      }
    }
    EXPECT_LT(static_cast<double>(outside), 0.001 * static_cast<double>(all)) << decay;
  }
}

TEST(Toy, TheSameSeedGivesTheSameTexts) {
  const auto a = Toy({}).texts(3, 20), b = Toy({}).texts(3, 20), longer = Toy({}).texts(3, 40);
  for (size_t text = 0; text < a.size(); ++text) {
    for (size_t t = 0; t < a[text].size(); ++t) {
      EXPECT_EQ(a[text][t].x, b[text][t].x);
      EXPECT_EQ(a[text][t].y, longer[text][t].y);
    }
  }
}

// From zero, windows of T tokens show what the first T tokens of a text lead to, and less and less of
// what comes after.
TEST(Toy, TrainingFromZeroKnowsTheFirstTokensAlone) {
  const Toy toy({});
  const int64_t T = toy.settings().context;
  EXPECT_GT(covered(toy, ToyStart::kZero, 1, T), 0.97);
  EXPECT_LT(covered(toy, ToyStart::kZero, 8 * T, kLong), 0.7);
  ToySettings longer;
  longer.context = 4 * T;
  EXPECT_GT(covered(Toy(longer), ToyStart::kZero, 8 * T, kLong),
            covered(toy, ToyStart::kZero, 8 * T, kLong) + 0.1);
}

TEST(Toy, ItsOwnEndStatesCoverWhatNoiseMisses) {
  const Toy toy({});
  const int64_t T = toy.settings().context;
  const double zero = covered(toy, ToyStart::kZero, 8 * T, kLong);
  const double fitted = covered(toy, ToyStart::kFitted, 8 * T, kLong);
  const double own = covered(toy, ToyStart::kOwnEnds, 8 * T, kLong);
  EXPECT_GT(fitted, zero);
  EXPECT_GT(own, fitted + 0.1);
  EXPECT_GT(own, 0.95);
}

// Noise that is wide enough covers the texts too, but most of what it shows leads nowhere.
TEST(Toy, WideNoiseGoesAstray) {
  const Toy toy({});
  const auto texts = toy.texts(kTexts, kLong);
  const double noise = Toy::astray(toy.trained(ToyStart::kNoise, kWindows), texts);
  const double own = Toy::astray(toy.trained(ToyStart::kOwnEnds, kWindows), texts);
  EXPECT_GT(noise, 0.4);
  EXPECT_LT(own, noise / 3);
}

}  // namespace
}  // namespace farstate::desktop
