// SPDX-License-Identifier: GPL-3.0-or-later
// An experiment that goes on by units of work: a step, a snapshot, a measurement or a save of one of
// its runs. Both front ends drive it, so both get the same numbers. Runs whose weights do not all
// fit into memory take turns in it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/results/experiment.h"
#include "core/session/experiment_plan.h"
#include "core/session/experiment_run.h"
#include "core/session/memory_estimate.h"
#include "core/session/run_config.h"
#include "core/store/run_store.h"

namespace farstate {

// Where an experiment takes place.
struct ExperimentSetting {
  std::shared_ptr<RunStore> store;       // null: nothing is recorded
  std::string name;                      // of the experiment in the store
  std::shared_ptr<const Corpus> corpus;  // of the recipe's data and model; null: it is read
  std::vector<std::string> notes;  // for its pictures
  std::string job = "Training and measuring";  // in the sentence that it does not fit
  std::string scratch;     // folder for weights that have no other; empty: one of the system's
  bool keep_ended = true;  // weights of runs that have ended: somebody may want them to go on
  int64_t most_live = 0;   // runs whose weights are in memory at once; 0: as many as fit
};

// "20261130-081233-demo": of the moment and the model.
std::string experiment_name(const RunConfig& config);

class ExperimentEngine {
 public:
  // Reads model and text. Throws Error(kBadUsage) for arms that can't be, and for a folder of
  // plan.out that holds another run; Error(kOutOfMemory) where not even one run fits.
  ExperimentEngine(const RunConfig& config, const ExperimentPlan& plan, ExperimentSetting setting,
                   const ProgressSink& progress = {});
  ~ExperimentEngine();

  bool running() const;  // something is due
  // Does units for about as long as `slice`, and one at least. `meanwhile` is called before a unit
  // and while a long one goes on; it may call direct() and picture(). A stop throws, and the unit
  // stays due. What is wrong with a run is its own affair and throws nothing.
  void advance(std::chrono::milliseconds slice, const std::function<void()>& meanwhile = {});
  // Takes effect from the next unit on. Throws Error(kBadUsage), and changes nothing then.
  void direct(const ArmCommand& command);
  int64_t current() const { return current_; }  // id of the run at work; 0: the base; negative: none

  // What the first run that failed did so of; kDiverged also where a state was not finite.
  ErrorKind failure() const;

  // As it stands; the same object while nothing new is to be shown. While it runs, a picture may be
  // a tenth of a second old, or older where making one costs much, unless it is wanted `fresh`.
  std::shared_ptr<const Experiment> picture(bool fresh = false);

 private:
  struct Pace {  // of one kind of unit
    double seconds = 0;
    int64_t done = 0;
  };

  void add_arms(const ExperimentPlan& plan);
  void take_up_name();
  int64_t live_limit(const ModelMemory& memory) const;
  bool work_once(const std::function<void()>& meanwhile);
  void measure_base(const std::function<void()>& meanwhile);
  void score_base(const std::function<void()>& meanwhile);
  std::optional<int64_t> recorded_base() const;
  void record_base(ArmRun& run);
  void work(ExperimentRun& run, const std::function<void()>& meanwhile);
  ExperimentRun* next_run();
  bool turn_over() const;
  void make_room(const ExperimentRun& run);
  ProgressSink sink(const std::string& who, const std::function<void()>& meanwhile);
  ExperimentRun& find(int64_t id);
  std::string fork_folder(const ExperimentRun& parent) const;
  void estimate(Experiment& picture) const;

  CommonGround ground_;
  ExperimentSetting setting_;
  std::string out_;
  bool interleaved_ = false;
  int64_t context_ = 0;
  int64_t most_live_ = 1;
  bool own_scratch_ = false;

  LoadedModel base_;                    // until it was measured
  std::shared_ptr<const ArmRun> base_run_;  // null: not measured yet
  std::unique_ptr<RecordedScoring> base_scoring_;  // null: none, or done
  std::vector<std::unique_ptr<ExperimentRun>> runs_;
  int64_t current_ = -1;
  ExperimentRun* turn_ = nullptr;  // whose turn it is
  std::chrono::steady_clock::time_point turn_began_{};
  bool turn_ends_ = false;  // with the unit that was done
  double switch_seconds_ = 0;  // the longest change of weights in memory

  static void count(Pace& pace, double seconds) {
    pace.seconds += seconds;
    ++pace.done;
  }
  Pace steps_, snapshots_, measurements_;
  Pace scores_;  // by unit of a scoring
  std::string phase_;
  double unit_share_ = 0, unit_tokens_ = 0;  // of the long unit that goes on
  std::shared_ptr<const Experiment> picture_;
  std::chrono::steady_clock::time_point next_picture_{};
  bool changed_ = true;  // something that is shown at once: a stage, a phase's beginning
  bool moved_ = true;    // something that can wait for the next picture
};

}  // namespace farstate
