// SPDX-License-Identifier: GPL-3.0-or-later
// What a run tells the store while it goes on. Points and events are gathered and written together,
// at most twice a second. A store that fails costs its record and never the run: `problem` then says
// why, and nothing more is written.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/store/run_store.h"

namespace farstate {

// The store at `path`, empty: the user's own. Null where it can't be opened; `problem` then says why.
std::shared_ptr<RunStore> open_store(const std::string& path, std::string& problem);

class RunLog {
 public:
  RunLog() = default;  // records nothing
  // Begins `run` after `step` steps, of which `before` tells; or goes on with the stored run whose
  // checkpoint lies in its folder, if there is one. A null store records nothing.
  RunLog(std::shared_ptr<RunStore> store, const StoredRun& run, int64_t step = 0,
         const RunCurves& before = {});

  int64_t id() const { return id_; }  // of the stored run; 0: nothing is recorded
  const std::string& problem() const { return problem_; }

  // Those of earlier starts too; a store that can't be read costs no more than them.
  std::vector<Snapshot> recorded_snapshots() const;

  void add(const TrainPoint& point);
  void add(const RunEvent& event);
  void add(const Snapshot& snapshot);
  void set_recipe(const std::string& recipe, int64_t planned);
  // Writes what was gathered. Before a save, so that the record of a run that is killed reaches at
  // least as far as its checkpoint.
  void flush();
  void saved(const std::string& folder, int64_t step);
  // A run that was finished goes on after all.
  void go_on(int64_t step, const std::string& recipe, int64_t planned);
  void finish(RunStatus status, const std::string& problem, const std::vector<Series>& series);

 private:
  template <typename Write>
  void attempt(Write&& write);

  std::shared_ptr<RunStore> store_;
  int64_t id_ = 0;
  std::string problem_;
  std::vector<TrainPoint> points_;
  std::vector<RunEvent> events_;
  std::chrono::steady_clock::time_point written_{};
};

}  // namespace farstate
