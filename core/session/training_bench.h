// SPDX-License-Identifier: GPL-3.0-or-later
// The training of a runner: one run after another on the weights at hand, when each is over, and
// their record. A trainer whose settings stay the same goes on from run to run.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/checkpoint/model_files.h"
#include "core/data/corpus.h"
#include "core/results/run_record.h"
#include "core/session/run_config.h"
#include "core/session/run_keeper.h"
#include "core/session/trainer.h"

namespace farstate {

class TrainingBench {
 public:
  using Clock = std::chrono::steady_clock;

  // The model is the one that is trained, whichever it holds; leave() comes before it changes.
  explicit TrainingBench(LoadedModel& model) : model_(model) {}

  // A run of recipe.train.steps more steps, or of as many as the time is good for; zero: no such
  // limit. The corpus outlives it. Throws Error where weights can't be trained or it does not fit.
  void begin(const RunConfig& recipe, const Corpus& corpus, Clock::duration limit = {});
  void begin_stretch();  // of training without a pause: its time counts from here
  TrainPoint step();     // counted since the weights were loaded; throws as Trainer's
  bool over() const;
  void go_beyond_plan();  // a run that is taken step by step never ends
  void hold();            // its time stands still, and what is in memory is also on the disk
  // Where time ends it, the recipe gives the same run again: it gets as many steps as were done.
  void end(RunStatus status, const std::string& problem = {});
  void leave();  // ends it; the weights or the text go

  // From the next step on.
  void configure(const RunConfig& config);  // learning rate and measuring
  void set_intervention(const InterventionConfig& config);

  // Into a folder of a person's choice; false: nothing was trained, and nothing is written.
  bool save(const std::string& folder) const;
  void measured(const std::vector<Series>& series, const std::vector<std::string>& notes);

  const Trainer* trainer() const { return trainer_.get(); }  // null: nothing was trained
  const RunConfig& recipe_or(const RunConfig& untrained) const {
    return trainer_ != nullptr ? trainer_->config() : untrained;
  }
  int64_t steps() const { return steps_before_ + (trainer_ != nullptr ? trainer_->steps() : 0); }
  int64_t planned() const { return by_time() ? 0 : steps_before_ + target_; }  // 0: time ends it
  Intervention trained_with() const { return trained_with_; }  // the law of the last step
  bool by_time() const { return limit_ > Clock::duration::zero(); }
  double share() const;         // of the run that is done
  double seconds_left() const;  // negative: not known yet
  std::vector<RunEvent> new_events();
  // Why runs are not recorded (any more); empty: they are.
  const std::string& record_problem() const { return keeper_.problem(); }

 private:
  bool ensure_trainer(const RunConfig& recipe, const Corpus& corpus);
  Clock::duration time_left() const;

  LoadedModel& model_;
  std::unique_ptr<Trainer> trainer_;
  RunKeeper keeper_;
  int64_t steps_before_ = 0;  // of trainers of other settings, since the weights were loaded
  int64_t target_ = 0;        // of the trainer's steps
  Intervention trained_with_ = Intervention::kZero;
  size_t events_taken_ = 0;
  std::optional<Clock::time_point> stretch_began_;  // empty: held
  int64_t steps_at_stretch_ = 0;
  Clock::duration limit_{};  // of the run, without its pauses
  Clock::duration spent_{};  // of that, before the last pause
};

}  // namespace farstate
