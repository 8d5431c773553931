// SPDX-License-Identifier: GPL-3.0-or-later
// A person's guess of perplexity past T, at a few places, and how near it came.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/results/series.h"

namespace farstate::desktop {

struct Guess {
  std::vector<int64_t> positions;  // rising
  std::vector<double> values;      // one for each
  bool made = false;               // compared with the curve, and no longer changed
  bool empty() const { return positions.empty(); }
};

// Every place begins at `level`: that nothing changes.
Guess new_guess(const std::vector<double>& multiples, int64_t context, int64_t length, double level);

// The factor between guess and curve, either way, as the geometric mean over the places that were
// measured: 1 is perfect, 2 means half or double. Empty: none was measured.
std::optional<double> guess_factor(const Guess& guess, const Series& perplexity);

}  // namespace farstate::desktop
