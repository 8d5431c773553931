// SPDX-License-Identifier: GPL-3.0-or-later
// A model's scoring at a recipe's task that the store remembers: what was scored of the same weights
// and samples before is taken up, and each unit's cells are written. A store that fails costs the
// record and never the scores: `problem` then says why.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "core/session/run_config.h"
#include "core/session/task_scorer.h"
#include "core/store/run_store.h"

namespace farstate {

class RecordedScoring {
 public:
  // `config`: the task, the samples' seed, the settings as score_settings() gives them.
  RecordedScoring(const RecurrentLM& model, std::shared_ptr<const Task> task,
                  std::shared_ptr<const Tokenizer> tokenizer, const RunConfig& config,
                  const TaskScorer::Subject& subject);
  ~RecordedScoring();
  RecordedScoring(const RecordedScoring&) = delete;
  RecordedScoring& operator=(const RecordedScoring&) = delete;

  // Before the first next(). `model` is where it lies; `run` in the store has trained it, or 0.
  void record(std::shared_ptr<RunStore> store, const std::string& model, int64_t run);

  void next(const ProgressSink& progress = {});  // as TaskScorer has it
  const TaskScorer& scorer() const { return scorer_; }
  const std::string& problem() const { return problem_; }

 private:
  void write();

  const RecurrentLM& model_;
  std::shared_ptr<const Task> task_;
  std::shared_ptr<const Tokenizer> tokenizer_;
  RunConfig config_;
  TaskScorer::Subject subject_;
  TaskScorer scorer_;
  std::shared_ptr<RunStore> store_;
  int64_t id_ = 0;  // of the stored scoring
  bool unwritten_ = false;
  std::chrono::steady_clock::time_point written_{};
  std::string problem_;
};

}  // namespace farstate
