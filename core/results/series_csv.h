// SPDX-License-Identifier: GPL-3.0-or-later
// Curves as tables, a row for every value, for spreadsheets and data frames (RFC 4180). Numbers are
// the shortest that read back as the same; those that are not finite are NaN, Inf and -Inf.
#pragma once

#include <ostream>
#include <vector>

#include "core/results/run_record.h"
#include "core/results/series.h"
#include "core/results/task_scores.h"

namespace farstate {

// Columns name, layer, head, x_name, x, y, lower, upper, bin_begin, bin_end, unit, sequences. What
// a series does not have is empty.
void write_csv(std::ostream& out, const std::vector<Series>& all);
// The same with the column step before them.
void write_csv(std::ostream& out, const std::vector<Snapshot>& all);

// Columns step, loss, grad_norm, learning_rate, tokens_per_second.
void write_csv(std::ostream& out, const std::vector<TrainPoint>& points);
// Columns step, kind, text.
void write_csv(std::ostream& out, const std::vector<RunEvent>& events);

// Columns task, kind, mode, length, depth, arm, seed, samples, planned, correct, trials, accuracy, lower,
// upper. What a cell does not have is empty.
void write_csv(std::ostream& out, const std::vector<TaskCell>& cells);

}  // namespace farstate
