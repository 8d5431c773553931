// SPDX-License-Identifier: GPL-3.0-or-later
// A run from its first step to its planned last one, with the saves, the curves by position and the
// record of it between.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/checkpoint/model_files.h"
#include "core/session/run_log.h"
#include "core/session/trainer.h"

namespace farstate {

// Training updates the weights in float32: the source as training loads it. Throws
// Error(kBadUsage) where it asks for bfloat16.
ModelSource for_training(ModelSource source);

// Called after every step with its numbers and the planned number of steps.
using StepSink = std::function<void(const TrainPoint&, int64_t planned)>;

// The run as the store begins it; the folder may be empty.
StoredRun stored_run(const LoadedModel& loaded, const Trainer& trainer, const std::string& folder);

class TrainingRun {
 public:
  // All outlive it. `folder` for the saves; empty: nowhere.
  TrainingRun(const LoadedModel& loaded, const Corpus& corpus, Trainer& trainer,
              std::string folder, RunLog& log);

  // Steps to the planned end, saved every save_every steps and at the end, with curves by position of
  // the held-out text before the first step and every evaluate_every steps. False: a stop ended it,
  // saved as it was. What diverges throws; then the last regular save whose loss was near its best
  // is kept, since later weights may be bad already.
  bool to_end(const StepSink& on_step, const ProgressSink& progress = {});

  const std::vector<Snapshot>& snapshots() const { return snapshots_; }  // of this call

 private:
  void steps(const StepSink& on_step, const ProgressSink& progress);
  void evaluate(const ProgressSink& progress);
  void save();
  void tell_events();

  const LoadedModel& loaded_;
  const Corpus& corpus_;
  Trainer& trainer_;
  std::string folder_;
  RunLog& log_;
  std::vector<Snapshot> snapshots_;
  int64_t saved_at_ = -1;
  size_t events_told_;
};

}  // namespace farstate
