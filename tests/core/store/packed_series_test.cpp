// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/packed_series.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/refusal.h"
#include "tests/support/stored_runs.h"

namespace farstate {
namespace {

using ::testing::HasSubstr;
using testing::refusal;
using testing::snapshot;

TEST(PackedSeries, SnapshotsOfARunShareTheirLayout) {
  const PackedSeries early = pack(snapshot(5).series), late = pack(snapshot(6).series);
  EXPECT_EQ(early.layout, late.layout);
  EXPECT_NE(early.numbers, late.numbers);
  // Two curves of 64 bins with both bounds, and one of 3 without.
  EXPECT_EQ(early.numbers.size(), (2 * 64 * 3 + 3) * sizeof(double));
}

TEST(PackedSeries, NothingIsSomethingToo) {
  const PackedSeries packed = pack({});
  EXPECT_TRUE(unpack(packed.layout, packed.numbers, "here").empty());
}

TEST(PackedSeries, RefusesWhatDoesNotGoTogether) {
  const PackedSeries packed = pack(snapshot(5).series);
  const auto says = [](const std::string& layout, const std::string& numbers) {
    return refusal([&] { unpack(layout, numbers, "runs.sqlite, run 3"); });
  };
  for (const std::string& numbers :
       {packed.numbers + "12345678", packed.numbers.substr(8), packed.numbers.substr(1), std::string()}) {
    EXPECT_THAT(says(packed.layout, numbers), HasSubstr("runs.sqlite, run 3: the numbers"));
  }
  const auto with = [&](const std::string& key, const std::string& value) {
    std::string layout = packed.layout;
    const size_t at = layout.find(key);
    return layout.replace(at, key.size(), value);
  };
  EXPECT_THAT(says(with("\"axis\":1", "\"axis\":2"), packed.numbers), HasSubstr("don't go with"));
  EXPECT_THAT(says(with("\"axis\":1", "\"axis\":-1"), packed.numbers), HasSubstr("don't go with"));
  EXPECT_THAT(says(with("\"y\":64", "\"y\":-1"), packed.numbers), HasSubstr("don't go with"));
  EXPECT_THAT(says(with("\"y\":64", "\"y\":9223372036854775807"), packed.numbers),
              HasSubstr("don't go with"));
  // As many numbers in all, but not as many as there are positions.
  EXPECT_THAT(says(with("\"y\":64,\"lower\":64", "\"y\":63,\"lower\":65"), packed.numbers),
              HasSubstr("don't go with"));
  EXPECT_THAT(says(with("\"axes\"", "\"exas\""), packed.numbers), HasSubstr("\"axes\" is missing"));
  EXPECT_THAT(says("{", packed.numbers), HasSubstr("run 3"));
}

}  // namespace
}  // namespace farstate
