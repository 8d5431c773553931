// SPDX-License-Identifier: GPL-3.0-or-later
// One arm of an experiment with one seed: its weights, trainer, folder and record. It goes on by
// units, each due when its turn comes, and can give its weights back between two of them.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/checkpoint/model_files.h"
#include "core/data/corpus.h"
#include "core/results/experiment.h"
#include "core/session/evaluator.h"
#include "core/session/recorded_scoring.h"
#include "core/session/run_config.h"
#include "core/session/run_log.h"
#include "core/session/trainer.h"

namespace farstate {

// What the runs of an experiment have in common.
struct CommonGround {
  RunConfig config;  // the recipe that the arms share; measure as resolved
  std::shared_ptr<const Corpus> corpus;
  std::unique_ptr<const Evaluator> evaluator;  // all probes of the recipe, for the end
  MeasureConfig snapshot;                      // what a snapshot measures
  int64_t snapshot_every = 0;                  // steps; 0: at the end only
  // A snapshot of the checkpoint, which all runs begin with; null: not taken yet.
  std::shared_ptr<const Snapshot> untouched;
  std::shared_ptr<RunStore> store;  // null: nothing is recorded
  std::string experiment;           // the runs' common name in the store
  std::string scratch;              // folder for weights that have no folder of their own
  bool keep_ended = true;           // weights of runs that have ended, for those that may go on
  std::shared_ptr<const Task> task;  // of the recipe; null: none. config.score is as it has it

  // A new model's weights are those of the run's seed.
  LoadedModel load(uint64_t seed, const ProgressSink& progress) const;
  // Null without a task. `run` in the store has trained the model, or 0.
  std::unique_ptr<RecordedScoring> scoring_of(const LoadedModel& loaded, const ArmRun& run) const;
  // Also from a measurement of these weights, where that holds what a snapshot does.
  std::shared_ptr<const Snapshot> snapshot_of(const LoadedModel& loaded, int64_t step,
                                              const Evaluation* measured,
                                              const ProgressSink& progress) const;
};

// Nothing is due in it unless a person asks for more.
bool has_ended(const ArmRun& run);

class ExperimentRun {
 public:
  enum class Due { kNothing, kFork, kWeights, kSave, kStep, kSnapshot, kMeasurement, kScores };

  // A run of `recipe`; goes on with what `folder` holds. `ground` outlives it. Throws
  // Error(kBadUsage) where the folder holds a run of another recipe.
  ExperimentRun(const CommonGround& ground, int64_t id, const std::string& arm, const RunConfig& recipe,
                const std::string& folder);
  // A run that begins where `parent` is when its first unit comes, with the law of `arm`.
  ExperimentRun(ExperimentRun& parent, int64_t id, const std::string& arm, int64_t steps,
                const std::string& folder);
  ~ExperimentRun();
  ExperimentRun(const ExperimentRun&) = delete;
  ExperimentRun& operator=(const ExperimentRun&) = delete;

  const ArmRun& facts() const { return facts_; }
  std::shared_ptr<const ArmRun> picture();  // as it is now; the same object until something changes
  const std::string& folder() const { return folder_; }
  ErrorKind failure() const { return failure_; }  // of a run that has failed
  const std::string& record_problem() const { return log_.problem(); }  // why it is not recorded

  void pause();
  void resume();
  void stop();
  void extend(int64_t steps);
  // Throws Error(kBadUsage): nothing can be forked from it, or not with this arm.
  void check_fork(const std::string& arm, int64_t steps) const;

  Due due() const;
  bool ended() const;
  bool paused() const { return paused_; }
  bool holds_weights() const { return trainer_ != nullptr; }
  ExperimentRun* fork_of() const { return fork_of_; }  // null: none, or forked already

  // Does the unit that is due. A stop throws and leaves it due; whatever else is wrong ends this run
  // with a sentence.
  void work(const ProgressSink& progress);
  void set_in_turn(bool in_turn);  // it trains, or takes turns in it
  void park();                     // writes what is not written yet, and drops the weights

 private:
  void fork(const ProgressSink& progress);
  void load(const ProgressSink& progress);
  void begin();
  void step();
  void add_snapshot(const Evaluation* measured, const ProgressSink& progress);
  void measure(const ProgressSink& progress);
  void score(const ProgressSink& progress);
  void finish();
  void save();
  void drop_weights();
  void fail(const Error& error);
  void follow_plan();  // the trainer learns of planned steps that were changed
  void follow_trainer();
  void begin_record();
  bool at_end() const { return stopping_ || facts_.steps >= facts_.planned; }
  bool unsaved() const { return holds_weights() && saved_at_ != facts_.steps; }
  std::string parked_file() const;
  ArmRun& change();

  const CommonGround& ground_;
  ArmRun facts_;
  std::shared_ptr<const ArmRun> picture_;  // of facts_; null: they have changed
  RunConfig recipe_;                       // with its changes
  std::string folder_;
  LoadedModel loaded_;
  std::unique_ptr<Trainer> trainer_;  // null: not begun, parked, or ended and given back
  RunLog log_;
  ExperimentRun* fork_of_ = nullptr;
  std::string fork_arm_;
  int64_t parent_stored_as_ = 0;
  size_t events_recorded_ = 0;
  ErrorKind failure_ = ErrorKind::kDiverged;
  int64_t saved_at_ = -1;  // steps of the newest checkpoint
  bool begun_ = false;
  bool recorded_ = false;  // the store knows of it, and that it goes on
  bool paused_ = false;
  bool in_turn_ = false;
  bool stopping_ = false;
  bool measured_ = false;  // where it is now
  std::unique_ptr<RecordedScoring> scoring_;  // null: not begun
};

}  // namespace farstate
