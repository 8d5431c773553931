// SPDX-License-Identifier: GPL-3.0-or-later
// The comparison that the paper rests on: arms that start from one checkpoint and differ only in
// the law of their initial state, each with several seeds, beside the untouched checkpoint. And its
// JSON ("farstate.experiment/1").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/results/series.h"

namespace farstate {

struct ArmRun {
  std::string arm;  // the intervention's name; "base" for the untouched checkpoint
  uint64_t seed = 0;
  int64_t steps = 0;
  std::vector<Series> series;  // as measure gives them
  std::string problem;         // why it ended early, as a sentence; empty: it did not
  std::string saved_in;        // folder of the trained model; empty: none
};

struct Experiment {
  std::string recipe;   // JSON of the RunConfig that the arms share
  int64_t context = 0;  // T, of the checkpoint's training where that is recorded
  ArmRun base;
  std::vector<ArmRun> runs;  // by arm, then seed
  std::vector<std::string> notes;
};

// A column of the table: "T/2" at position T/2.
struct TablePosition {
  std::string name;
  int64_t position = 0;
};
std::vector<TablePosition> table_positions(int64_t context);

// The run's perplexity there; empty: not measured that far.
std::optional<double> perplexity_at(const ArmRun& run, int64_t position);

struct Spread {
  double mean = 0;
  double std = 0;  // of the sample, over seeds; 0 for one
  int64_t seeds = 0;
};
// Of an arm's runs that were measured there; empty: none was.
std::optional<Spread> perplexity_at(const Experiment& experiment, const std::string& arm,
                                    int64_t position);

// The arms in the order in which they first appear.
std::vector<std::string> arms_of(const Experiment& experiment);

// Numbers that are not finite become null; `non_finite` counts them.
std::string to_json(const Experiment& experiment, int64_t& non_finite);

}  // namespace farstate
