// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/length_ratio.h"

#include <gtest/gtest.h>

#include <cmath>

namespace farstate {
namespace {

Series binned(std::vector<int64_t> edges, std::vector<double> y) {
  Series out;
  out.y = std::move(y);
  out.bin_begin.assign(edges.begin(), edges.end() - 1);
  out.bin_end.assign(edges.begin() + 1, edges.end());
  return out;
}

TEST(LengthRatio, ComparesTheWindowsByTheirPositions) {
  // T = 4: [2,4) holds 2; [32,64) holds 32 positions, 8 of them at 16 and 24 at 2.
  const Series s = binned({1, 2, 3, 4, 32, 40, 64, 100}, {9, 2, 2, 9, 16, 2, 9});
  // e^((8 ln 16 + 24 ln 2) / 32) = 2^(1.75); over 2.
  EXPECT_NEAR(*length_ratio(s, 4), std::exp2(0.75), 1e-12);
}

TEST(LengthRatio, IsEmptyWhereTheCurveEndsBefore) {
  EXPECT_FALSE(length_ratio(binned({1, 2, 4, 8, 16}, {2, 2, 2, 2}), 4));
  EXPECT_FALSE(length_ratio(Series(), 4));
}

}  // namespace
}  // namespace farstate
