// SPDX-License-Identifier: GPL-3.0-or-later
// Scores a model at a task by units of work, coarse to fine: each a few samples of a cell, first a
// few of every cell, lengths far apart before those between them. A sample follows from its cell and
// its number, so that scoring goes on where it was, and all models answer the same ones.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/models/recurrent_lm.h"
#include "core/results/task_scores.h"
#include "core/session/prompt_reader.h"
#include "core/session/runner.h"
#include "core/tasks/task.h"
#include "core/tasks/task_tokens.h"

namespace farstate {

// Lengths and depths as the task has them for a model of context T, where the settings leave them open.
ScoreConfig score_settings(const Task& task, const ScoreConfig& config, int64_t context);

// Names what was scored: equal for the same samples of the same task, read by the same weights.
std::string score_key(const RecurrentLM& model, const Tokenizer& tokenizer, const TaskConfig& task,
                      const ScoreConfig& settings, uint64_t seed);

class TaskScorer {
 public:
  // What the cells say of the model.
  struct Subject {
    std::string arm;
    uint64_t seed = 0;
  };

  // `settings` as score_settings() gives them; `seed` is the samples'. Model and task outlive it.
  TaskScorer(const RecurrentLM& model, const Task& task, std::shared_ptr<const Tokenizer> tokenizer,
             const ScoreConfig& settings, uint64_t seed, const Subject& subject);

  // Cells that were scored before: their samples are not read again. Before the first next().
  void take(const std::vector<TaskCell>& cells);

  bool done() const { return next_ == units_.size(); }
  // The next unit. On a stop it throws, and the unit is still to be done.
  void next(const ProgressSink& progress = {});

  const std::vector<TaskCell>& cells() const { return cells_; }
  double share() const;         // of all that is to be read, 0 to 1
  double seconds_left() const;  // negative: not known yet
  std::string phase() const;    // "passkey: 1024 tokens, depth 0.5, sample 3 of 20"

 private:
  // Samples [first, last) of one length, kind and depth.
  struct Unit {
    int64_t length = 0;
    double depth = -1;
    std::string kind;
    int64_t first = 0, last = 0;
  };
  struct Sampled {
    TaskSample sample;
    TaskTokens tokens;
  };

  void add_cells();
  void plan();
  std::vector<Unit> coarse_units() const;
  std::vector<Sampled> samples(const Unit& unit, int64_t first, int64_t last) const;
  void generate(const Unit& unit, const std::vector<Sampled>& samples, const ProgressSink& progress);
  void predict(const Unit& unit, const std::vector<Sampled>& samples, const ProgressSink& progress);
  TaskCell& cell(const Unit& unit, const char* mode, int64_t length);
  std::vector<int64_t> predicted_lengths(const Unit& unit) const;
  int64_t scored(const Unit& unit);
  double cost(const Unit& unit) const;

  const RecurrentLM& model_;
  const Task& task_;
  std::shared_ptr<const Tokenizer> tokenizer_;
  ScoreConfig settings_;
  uint64_t seed_;
  Subject subject_;
  PromptReader reader_;
  std::vector<TaskCell> cells_;
  std::vector<Unit> units_;
  size_t next_ = 0;
  double seconds_ = 0, paid_ = 0;  // of the units that were done here
};

// The model's answer to one sample: what it goes on with, and what the right answers are worth to it.
TaskTrial answer(const RecurrentLM& model, const Task& task, const Tokenizer& tokenizer,
                 const TaskQuestion& question, uint64_t seed, const ProgressSink& progress = {});

}  // namespace farstate
