// SPDX-License-Identifier: GPL-3.0-or-later
// The heads of a measurement as a table: how far their states go, how long they remember, and which
// noise would do for them.
#pragma once

#include <string>
#include <vector>

#include "core/results/results.h"

namespace farstate {

inline constexpr const char* kHeadOrders[] = {"drift", "half-life", "norm"};

// What was not measured is NaN or empty.
struct HeadRow {
  HeadIndex index;
  double norm_at_context = 0, norm_at_end = 0;
  double drift = 0;      // the norm at the end in units of that at the trained context
  double half_life = 0;  // tokens, in the last bin
  double ks = 0;         // at the end
  std::string law;
};

// Those that stand out first: farthest from a drift of 1 in either direction, longest half-life,
// largest norm at the end. Heads that lack the number come last.
std::vector<HeadRow> head_rows(const Results& results, const std::string& order);

// The first ten, if what drives the states or their distribution was measured.
void print_heads(const Results& results, const std::string& order);

}  // namespace farstate
