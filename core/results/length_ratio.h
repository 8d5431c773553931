// SPDX-License-Identifier: GPL-3.0-or-later
// The one number that says whether a model goes on past the length that it was trained on.
#pragma once

#include <cstdint>
#include <optional>

#include "core/results/series.h"

namespace farstate {

// The perplexity over [8T, 16T) as a multiple of that over [T/2, T): e to the mean of its logarithm,
// bins by the positions that they hold. Empty where the curve has no bins there.
std::optional<double> length_ratio(const Series& perplexity, int64_t context);

}  // namespace farstate
