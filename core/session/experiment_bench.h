// SPDX-License-Identifier: GPL-3.0-or-later
// The experiment of a runner, beside the model that is open: it is recorded in the user's store, and
// its runs lie in a folder beside that.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "core/base/progress.h"
#include "core/data/corpus.h"
#include "core/results/experiment.h"
#include "core/session/experiment_engine.h"
#include "core/session/experiment_plan.h"
#include "core/session/run_config.h"

namespace farstate {

class ExperimentBench {
 public:
  ~ExperimentBench() { end(); }

  // Ends the experiment before it. Throws Error, and then there is none.
  void begin(const RunConfig& recipe, const ExperimentPlan& plan,
             std::shared_ptr<const Corpus> corpus, const ProgressSink& progress);
  void pause();  // all of its runs; what is not saved is due then
  void hold();   // the same, and they are saved
  void end();    // held first; folders and record stay

  bool running() const { return engine_ != nullptr && engine_->running(); }
  int64_t current() const { return engine_ != nullptr ? engine_->current() : -1; }
  void direct(const ArmCommand& command);  // throws Error(kBadUsage)
  void advance(std::chrono::milliseconds slice, const std::function<void()>& meanwhile);
  std::shared_ptr<const Experiment> picture();  // null: there is none

 private:
  std::shared_ptr<RunStore> store_;
  std::unique_ptr<ExperimentEngine> engine_;  // null: none
};

// Whether the command ends what run `at_work` is doing now.
bool interrupts(const ArmCommand& command, int64_t at_work);

}  // namespace farstate
