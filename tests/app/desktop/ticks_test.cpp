// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/plots/ticks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace farstate::desktop {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Ticks, ArePowersOfTwoOverPositions) {
  EXPECT_THAT(octave_ticks(1, 4096, 7), ElementsAre(1, 4, 16, 64, 256, 1024, 4096));
  EXPECT_THAT(octave_ticks(16, 128, 8), ElementsAre(16, 32, 64, 128));
}

TEST(Ticks, AreDecadesOrRoundValuesOnALogAxis) {
  EXPECT_THAT(log_ticks(1e-3, 1e3, 6), ElementsAre(1e-3, 1e-2, 0.1, 1, 10, 100, 1000));
  EXPECT_THAT(log_ticks(2.5, 200, 2), ElementsAre(3, 10, 30, 100)) << "a low axis is no bare axis";
  EXPECT_THAT(log_ticks(0.75, 1150, 2), ElementsAre(1, 10, 100, 1000));
  EXPECT_THAT(log_ticks(1, 40, 4), ElementsAre(1, 2, 5, 10, 20));
  EXPECT_THAT(log_ticks(1, 2.1, 3), ElementsAre(1, 1.5, 2));
  EXPECT_THAT(log_ticks(0.12, 0.45, 3), ElementsAre(0.2, 0.4));
  EXPECT_THAT(log_ticks(0, 10, 5), IsEmpty());
  EXPECT_THAT(linear_ticks(5, 5, 5), IsEmpty());
}

TEST(Ticks, AreWrittenShort) {
  EXPECT_EQ(short_number(0), QStringLiteral("0"));
  EXPECT_EQ(short_number(0.25), QStringLiteral("0.25"));
  EXPECT_EQ(short_number(64), QStringLiteral("64"));
  EXPECT_EQ(short_number(4096), QStringLiteral("4k"));
  EXPECT_EQ(short_number(3000), QStringLiteral("3k"));
  EXPECT_EQ(short_number(118000), QStringLiteral("118k"));
  EXPECT_EQ(short_number(2e6), QStringLiteral("2M"));
}

TEST(Ticks, ValuesCarryTheFiguresOfATable) {
  EXPECT_EQ(value_text(1.7149), QStringLiteral("1.71"));
  EXPECT_EQ(value_text(0.0312), QStringLiteral("0.031"));
  EXPECT_EQ(value_text(0.000416), QStringLiteral("0.00042"));
  EXPECT_EQ(value_text(4096), QStringLiteral("4,096"));
  EXPECT_EQ(value_text(std::numeric_limits<double>::infinity()), QStringLiteral("∞"));
  EXPECT_EQ(interval_text(1.7149, 0.0612), QStringLiteral("1.71 ± 0.06"));
}

}  // namespace
}  // namespace farstate::desktop
