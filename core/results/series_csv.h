// SPDX-License-Identifier: GPL-3.0-or-later
// Series as one table, a row for every value, for spreadsheets and data frames (RFC 4180).
#pragma once

#include <ostream>
#include <vector>

#include "core/results/series.h"

namespace farstate {

// Columns name, layer, head, x_name, x, y, lower, upper, bin_begin, bin_end, unit, sequences. What
// a series does not have is empty. Numbers are the shortest that read back as the same; those that
// are not finite are NaN, Inf and -Inf.
void write_csv(std::ostream& out, const std::vector<Series>& all);

}  // namespace farstate
