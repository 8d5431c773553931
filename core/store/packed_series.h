// SPDX-License-Identifier: GPL-3.0-or-later
// Series as the store keeps them. All that stays the same from one snapshot of a run to the next
// (names, units, heads, positions, bins) is the layout, JSON that is kept once; what changes is
// 8 bytes a number. A run with 500 snapshots of 36 curves over 128 bins takes 55 MB so, a quarter of
// what JSON takes, to the bit, and is read without parsing a number.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/results/series.h"

namespace farstate {

struct PackedSeries {
  std::string layout;   // JSON
  std::string numbers;  // doubles, little-endian: of every series y, lower, upper
};

PackedSeries pack(const std::vector<Series>& all);

// Throws Error(kBadInput) naming `source` where the two don't go together.
std::vector<Series> unpack(std::string_view layout, std::string_view numbers,
                           const std::string& source);

}  // namespace farstate
