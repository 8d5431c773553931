// SPDX-License-Identifier: GPL-3.0-or-later
// The store: every run with its recipe, curves, events and curves by position, in one SQLite file in
// write-ahead mode. What was written is there after a crash at any moment; several programs may have
// it open at once, and threads may share one handle. Throws Error(kBadInput) naming the file: it
// cannot be opened or written, is damaged, or was written by a newer version.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/results/run_record.h"
#include "core/results/series.h"
#include "core/results/task_scores.h"

namespace farstate {

enum class RunStatus {
  kRunning,   // or its program died: `alive` tells
  kDone,      // reached its planned end
  kStopped,   // by a person, before that
  kFailed     // diverged or could not go on; `problem` says why
};
std::string to_string(RunStatus status);  // "running"

struct StoredRun {
  int64_t id = 0;
  std::string name;     // "demo state-passing seed 7"
  std::string program;  // that wrote it: "farstate 0.1.0"
  std::string recipe;   // JSON of the RunConfig, with its changes
  std::string law;      // the intervention's name
  std::string experiment;  // groups the runs of one comparison; empty: a run by itself
  std::string arm;         // of the experiment; "base": the untouched checkpoint
  uint64_t seed = 0;
  int64_t parent = 0, forked_at = 0;  // the stored run that it was forked from, and its steps; 0: none
  RunStatus status = RunStatus::kRunning;
  bool alive = false;  // the process that trains it still runs
  std::string problem;
  int64_t steps = 0, planned = 0;
  double final_loss = 0;     // of the newest point; NaN: there is none
  std::string started, updated;  // ISO 8601, UTC
  std::string folder;        // of its checkpoint; empty: none
  int64_t checkpoint_step = 0;
};

struct RunCurves {
  std::vector<TrainPoint> points;
  std::vector<RunEvent> events;
  std::vector<Snapshot> snapshots;
  std::vector<Series> series;  // measured at the end
  std::vector<TaskCell> cells = {};  // what its weights scored at tasks
};

// The scoring of some weights at a task.
struct StoredScoring {
  int64_t id = 0;
  std::string key;      // equal for the same samples read by the same weights: one scoring goes on
  std::string recipe;   // JSON of the RunConfig
  std::string task, model, arm;
  uint64_t seed = 0;
  int64_t run = 0;      // that made the weights; 0: not a stored one
  std::string started, updated;
};

class RunStore {
 public:
  // $FARSTATE_STORE, or runs.sqlite in farstate's folder of the user's data
  // ($XDG_DATA_HOME, or ~/.local/share).
  static std::string default_path();

  // Creates the file and its folder where they are missing; brings an older schema up to date.
  static std::unique_ptr<RunStore> open(const std::string& path = default_path());
  // To look into it; also where it can't be written.
  static std::unique_ptr<RunStore> open_to_read(const std::string& path = default_path());
  virtual ~RunStore() = default;

  virtual std::string path() const = 0;

  // Begins a run: of `run`, everything but id, status, times and steps is taken; without `program` it
  // is this one. Returns its id.
  virtual int64_t begin(const StoredRun& run) = 0;
  // Goes on with a run from `step`: what was recorded beyond it is dropped, since it will be computed
  // again, and the run is this process's.
  virtual void go_on(int64_t run, int64_t step, const std::string& recipe, int64_t planned) = 0;
  // Each call is one transaction.
  virtual void add(int64_t run, std::span<const TrainPoint> points,
                   std::span<const RunEvent> events) = 0;
  virtual void add(int64_t run, const Snapshot& snapshot) = 0;
  virtual void set_recipe(int64_t run, const std::string& recipe, int64_t planned) = 0;
  virtual void set_checkpoint(int64_t run, const std::string& folder, int64_t step) = 0;
  virtual void finish(int64_t run, RunStatus status, const std::string& problem,
                      const std::vector<Series>& series) = 0;

  // The scoring of this key, begun if there is none; of `scoring`, all but id and times is taken, and of
  // one that goes on the run stays where none is named. Deleted with its run.
  virtual int64_t begin_scoring(const StoredScoring& scoring) = 0;
  // One transaction; a cell takes the place of the one with the same kind, mode, length and depth.
  virtual void add_cells(int64_t scoring, std::span<const TaskCell> cells) = 0;
  // By kind, mode, length and depth.
  virtual std::vector<TaskCell> cells(int64_t scoring) const = 0;
  virtual std::vector<StoredScoring> list_scorings() const = 0;  // newest first
  virtual void remove_scoring(int64_t scoring) = 0;

  // Newest first.
  virtual std::vector<StoredRun> list() const = 0;
  virtual std::optional<StoredRun> find(int64_t run) const = 0;
  // The run whose checkpoint lies in `folder`; empty: none.
  virtual std::optional<StoredRun> find_by_folder(const std::string& folder) const = 0;
  virtual RunCurves curves(int64_t run) const = 0;
  // Forgets a run; its checkpoint's folder is left to the caller. Throws Error(kBadUsage) where there
  // is no such run, or it is running.
  virtual void remove(int64_t run) = 0;

  // Why nothing can be recorded, as a sentence; empty: it can.
  virtual std::string read_only() const = 0;
};

}  // namespace farstate
