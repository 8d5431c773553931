// SPDX-License-Identifier: GPL-3.0-or-later
// What the paper reports of long-context tasks: a layer to lay own scores over. Its models, data and
// lengths of training are others, so nothing here is a value that must be met.
#pragma once

#include <string>
#include <vector>

#include "core/results/task_scores.h"

namespace farstate {

struct PaperSeries {
  std::string source;  // for a person: which figure or table, and that it was read off
  std::string label;   // "Mamba-2 370m, fine-tuned with fitted noise"
  // Shares as `correct` thousandths (`trials` is 1000 whatever was counted there), so they have no
  // interval; `samples` is 0. Lengths in tokens, with 1k = 1024; 0 is BABILong's 0k. Of copying the
  // length is not known, and 0.
  std::vector<TaskCell> cells;
  double spread = 0;  // standard deviation over seeds, where the paper gives one
};

// Of a task's name; empty: the paper does not have it.
const std::vector<PaperSeries>& paper_results(const std::string& task);

}  // namespace farstate
