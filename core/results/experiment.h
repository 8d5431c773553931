// SPDX-License-Identifier: GPL-3.0-or-later
// The comparison that the paper rests on: arms that start from one checkpoint and differ only in
// the law of their initial state, each with several seeds, beside the untouched checkpoint. And its
// JSON ("farstate.experiment/1").
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/results/run_record.h"
#include "core/results/series.h"
#include "core/results/task_scores.h"

namespace farstate {

enum class ArmStage {
  kWaiting,    // for its turn
  kRunning,    // trains, or is measured
  kPaused,     // by the person
  kDone,       // trained to its planned end and measured
  kStopped,    // ended before that by the person; measured where it was
  kFailed      // diverged, or could not go on: `problem` says why
};

// One arm with one seed.
struct ArmRun {
  int64_t id = 0;    // within its experiment, from 1; 0: the base
  std::string arm;   // as it was asked for, "random-noise:sigma=0.3"; "base": the untouched checkpoint
  std::string law;   // the intervention's name; empty for the base
  uint64_t seed = 0;
  ArmStage stage = ArmStage::kWaiting;
  int64_t steps = 0, planned = 0;
  int64_t parent = 0;     // the run that it was forked from; 0: none
  int64_t forked_at = 0;  // updates done there
  double seconds = 0;     // spent on it, without waiting
  std::string recipe;     // JSON of its RunConfig, with its changes
  std::vector<TrainPoint> points;
  std::vector<RunEvent> events;
  std::vector<std::shared_ptr<const Snapshot>> snapshots;  // by step
  std::vector<Series> series;  // as measure gives them, once it has ended
  std::vector<TaskCell> cells;  // of the recipe's task, after that; empty: it has none
  std::string problem;         // why it ended early, as a sentence; empty: it did not
  std::string saved_in;        // folder of the trained model; empty: none
  int64_t stored_as = 0;       // its number in the store; 0: not recorded
};

// The whole comparison as it stands. Runs are shared and never changed once they are in a picture,
// so that a picture of a running experiment costs a list of pointers.
struct Experiment {
  std::string recipe;   // JSON of the RunConfig that the arms share
  std::string perplexity = "perplexity";  // the series that tables are of
  int64_t context = 0;  // T, of the checkpoint's training where that is recorded
  std::shared_ptr<const ArmRun> base;  // null: not measured yet
  std::vector<std::shared_ptr<const ArmRun>> runs;  // by arm, then seed; forks behind
  std::vector<std::string> notes;
  // While it goes on:
  bool running = false;
  std::string phase;         // in words: "state-passing, seed 8: step 12 of 200"
  double progress = 0;       // of all that is planned, 0 to 1
  double seconds_left = -1;  // negative: not known yet
};

// A column of the table: "T/2" at position T/2.
struct TablePosition {
  std::string name;
  int64_t position = 0;
};
std::vector<TablePosition> table_positions(int64_t context);

// The run's perplexity there by its last measurement, or its newest snapshot before that; empty: not
// measured that far, or failed before it was measured.
std::optional<double> perplexity_at(const ArmRun& run, int64_t position,
                                    const std::string& series = "perplexity");

struct Spread {
  double mean = 0;
  double std = 0;  // of the sample, over seeds; 0 for one
  int64_t seeds = 0;
};
// Of an arm's runs that were measured there; empty: none was.
std::optional<Spread> perplexity_at(const Experiment& experiment, const std::string& arm,
                                    int64_t position);

std::string to_string(ArmStage stage);  // "waiting"

// The arms in the order in which they first appear.
std::vector<std::string> arms_of(const Experiment& experiment);

// Numbers that are not finite become null; `non_finite` counts them.
std::string to_json(const Experiment& experiment, int64_t& non_finite);

}  // namespace farstate
