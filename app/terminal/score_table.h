// SPDX-License-Identifier: GPL-3.0-or-later
// Scores at a task as a table: arms by lengths.
#pragma once

#include <string>
#include <vector>

#include "core/results/task_scores.h"

namespace farstate {

// For each way of scoring a table: the share of right answers, of all kinds together. Of an arm with
// several seeds the mean and the standard deviation over them, of one with one seed Wilson's interval.
void print_scores(const std::vector<TaskCell>& cells);

// One line: "64 0.99  128 0.52", over all depths and kinds.
std::string short_scores(const std::vector<TaskCell>& cells);

// What the paper reports of the task; nothing where it does not have it.
void print_paper(const std::string& task);

}  // namespace farstate
