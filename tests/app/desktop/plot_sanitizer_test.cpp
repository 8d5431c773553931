// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/plots/plot_sanitizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace farstate::desktop {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

CleanCurve clean(const std::vector<double>& y, bool log_y = false) {
  std::vector<double> x;
  for (size_t i = 0; i < y.size(); ++i) x.push_back(static_cast<double>(i) + 1);
  return sanitize(x, y, false, log_y);
}

TEST(PlotSanitizer, PassesFiniteCurvesThrough) {
  const CleanCurve c = clean({3, 1, 2});
  EXPECT_THAT(c.x, ElementsAre(1, 2, 3));
  EXPECT_THAT(c.y, ElementsAre(3, 1, 2));
  EXPECT_EQ(c.y_extent, (Extent{1, 3}));
  EXPECT_EQ(c.nonfinite + c.nonpositive + c.outliers, 0);
}

TEST(PlotSanitizer, DrawsALonePointBetweenGapsAsADot) {
  const CleanCurve c = clean({kNaN, 2, kNaN, 5, 6});
  EXPECT_THAT(c.dot_x, ElementsAre(2));
  EXPECT_THAT(c.dot_y, ElementsAre(2));
  EXPECT_THAT(c.y, ElementsAre(5, 6));
  EXPECT_EQ(c.nonfinite, 2);
}

TEST(PlotSanitizer, MarksWhereNumbersStopBeingFinite) {
  const CleanCurve c = clean({1, 4, kInf, -kInf, kNaN, 3, 2});
  EXPECT_THAT(c.bad_x, ElementsAre(3));
  EXPECT_THAT(c.bad_y, ElementsAre(4));
  EXPECT_EQ(c.nonfinite, 3);
  EXPECT_EQ(c.first_bad_x, 3);
  EXPECT_EQ(c.y_extent, (Extent{1, 4}));
  ASSERT_EQ(c.y.size(), 5);
  EXPECT_TRUE(std::isnan(c.y[2]));  // the gap between the two runs
}

TEST(PlotSanitizer, MarksWhatALogAxisOfXCannotShowAtItsLeftEdge) {
  const CleanCurve curve = sanitize(std::vector<double>{0, 1, 10, 100},
                                    std::vector<double>{3, 1, 2, 4}, true, true);
  EXPECT_EQ(curve.edge_y, QVector<double>{3});
  EXPECT_EQ(curve.nonpositive, 1);
  EXPECT_EQ(curve.x_extent, (Extent{1, 100}));
  const CleanCurve corner =
      sanitize(std::vector<double>{0, 1}, std::vector<double>{0, 1}, true, true);
  ASSERT_EQ(corner.edge_y.size(), 1);
  EXPECT_TRUE(std::isnan(corner.edge_y[0]));
  EXPECT_EQ(corner.nonpositive, 1);
}

TEST(PlotSanitizer, MarksZeroAndNegativeOnALogAxisAtTheFloor) {
  const CleanCurve c = clean({0, 1, 10, -2, 100, 1000}, true);
  EXPECT_THAT(c.floor_x, ElementsAre(1, 4));
  EXPECT_EQ(c.nonpositive, 2);
  EXPECT_EQ(c.y_extent, (Extent{1, 1000}));
  for (const double v : c.y) EXPECT_TRUE(std::isnan(v) || v > 0);
}

TEST(PlotSanitizer, KeepsZeroOnALinearAxis) {
  const CleanCurve c = clean({0, 1}, false);
  EXPECT_THAT(c.floor_x, IsEmpty());
  EXPECT_THAT(c.y, ElementsAre(0, 1));
}

TEST(PlotSanitizer, LeavesOutPlacesThatALogXAxisCannotShow) {
  const std::vector<double> x{0, 1, kNaN, 2}, y{5, 6, 7, 8};
  EXPECT_THAT(sanitize(x, y, true, false).y, ElementsAre(6, 8));
}

TEST(PlotSanitizer, TreatsWhatQCustomPlotRefusesAsNotFinite) {
  const CleanCurve c = clean({1, 1e260, 2, 3});
  EXPECT_EQ(c.nonfinite, 1);
  EXPECT_EQ(c.y_extent, (Extent{1, 3}));
}

TEST(PlotSanitizer, KeepsOneHugeValueFromFlatteningTheRest) {
  std::vector<double> y(100, 1.0);
  for (size_t i = 0; i < y.size(); ++i) y[i] += 0.01 * static_cast<double>(i);
  y[50] = 1e38;
  const CleanCurve c = clean(y);
  EXPECT_GE(c.outliers, 1);
  ASSERT_TRUE(c.y_extent);
  EXPECT_LT(c.y_extent->high, 3);
}

TEST(PlotSanitizer, SaysNothingOfEmptyAndAllNaNCurves) {
  EXPECT_FALSE(clean({}).y_extent);
  EXPECT_FALSE(clean({kNaN, kNaN}).y_extent);
  EXPECT_THAT(clean({kNaN, kNaN}).y, IsEmpty());
  const CleanCurve one = clean({4});
  EXPECT_THAT(one.dot_y, ElementsAre(4));
  EXPECT_THAT(one.y, IsEmpty());
}

TEST(PlotSanitizer, GivesConstantsARangeAroundThem) {
  const Extent small = padded({1e-3, 1e-3}, false);
  EXPECT_THAT(small.low, DoubleEq(0.95e-3));
  EXPECT_THAT(small.high, DoubleEq(1.05e-3));
  EXPECT_EQ(padded({0, 0}, false), (Extent{-1, 1}));
  for (const double c : {1.0, 1e6, 1e-30, -5.0}) {
    const Extent e = padded({c, c}, false);
    EXPECT_LT(e.low, c);
    EXPECT_GT(e.high, c);
  }
  const Extent log = padded({2, 2}, true);
  EXPECT_LT(log.low, 2);
  EXPECT_GT(log.high, 2);
  EXPECT_GT(padded({-3, 10}, true).low, 0);
}

TEST(PlotSanitizer, KeepsAZoomWithinBounds) {
  const Extent home{0, 10};
  Extent in = home, out = home;
  for (int i = 0; i < 200; ++i) {
    in = clamped({in.low + 0.45 * (in.high - in.low), in.high - 0.45 * (in.high - in.low)}, home,
                 false);
    out = clamped({out.low - (out.high - out.low), out.high + (out.high - out.low)}, home, false);
  }
  EXPECT_GT(in.high, in.low);
  EXPECT_LE(out.high - out.low, 1e3 * 10 * (1 + 1e-9));
  Extent log{1, 4096};
  for (int i = 0; i < 200; ++i) log = clamped({log.low / 100, log.high * 100}, {1, 4096}, true);
  EXPECT_GT(log.low, 0);
  EXPECT_TRUE(std::isfinite(log.high));
}

}  // namespace
}  // namespace farstate::desktop
