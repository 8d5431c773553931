// SPDX-License-Identifier: GPL-3.0-or-later
// The tasks of a runner: samples that the model at hand answers, and its scoring, unit by unit.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/checkpoint/model_files.h"
#include "core/session/recorded_scoring.h"
#include "core/session/run_config.h"
#include "core/session/runner.h"

namespace farstate {

class TaskBench {
 public:
  explicit TaskBench(const LoadedModel& model) : model_(model) {}

  void ask(const TaskQuestion& question) { question_ = question; }
  bool asked() const { return question_.has_value(); }
  void forget() { question_.reset(); }
  // The answer to the newest question; what is wrong with it is a sentence in the answer. On a stop
  // it throws, and the question stays.
  TaskTrial answer(const RunConfig& recipe, const ProgressSink& progress);

  // The weights at hand are scored by the recipe's task; `step` names them. What was scored of them
  // before is gone on with. Throws Error.
  void begin(const RunConfig& recipe, int64_t step, const TaskScorer::Subject& subject);
  bool scoring() const { return scoring_ != nullptr; }
  void advance(const ProgressSink& progress);  // one unit; it ends with the last one
  void hold();          // ends it; what is scored is kept
  void model_changes(); // the one that was scored is gone
  std::shared_ptr<const TaskScores> picture() const { return picture_; }  // null: nothing was scored

 private:
  std::shared_ptr<const Task> task(const TaskConfig& config);
  void show(bool running);

  const LoadedModel& model_;
  std::optional<TaskQuestion> question_;
  TaskConfig made_for_;
  std::shared_ptr<const Task> task_;  // of made_for_; null: none yet
  std::shared_ptr<RunStore> store_;
  RunConfig recipe_;  // of the scoring
  int64_t context_ = 0;
  int64_t step_ = 0;
  std::string note_;  // why the store has nothing of it
  std::unique_ptr<RecordedScoring> scoring_;
  std::shared_ptr<const TaskScores> picture_;
};

}  // namespace farstate
