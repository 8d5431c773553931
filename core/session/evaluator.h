// SPDX-License-Identifier: GPL-3.0-or-later
// Measures a model: all chosen probes over the same sequences.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/data/corpus.h"
#include "core/models/recurrent_lm.h"
#include "core/probes/measure_config.h"
#include "core/results/results.h"

namespace farstate {

// Rows that are swept together: more make better use of the cores, and each costs its state.
constexpr int64_t kRowsPerSweep = 16;

struct Evaluation {
  MeasureConfig config;  // as resolved: part, sequences, length, EffRem's T
  std::vector<Series> series;
  PerPosition per_position;
  std::vector<std::string> notes;
  bool finite = true;  // false: a state was not, and a note says where
};

class Evaluator {
 public:
  // Chooses the sequences; their tokens are read as they are wanted. trained_context: of the model's
  // own training, 0 if it is not known; it gives EffRem its T where the settings leave it open, and
  // is where the states of training are taken. Throws Error(kBadInput) when the text is too short.
  Evaluator(const Corpus& corpus, const MeasureConfig& config, int64_t trained_context);

  // All probes but EffRem and attention share one sweep, EffRem has its own. `on_series` is called with an
  // Evaluation that holds what is complete so far, after each of the two. A stop throws.
  Evaluation run(const RecurrentLM& model, const ProgressSink& progress,
                 const std::function<void(const Evaluation&)>& on_series = {}) const;

  // What the head of attention_layer and attention_head attends to over the last attention_window
  // of the first `end` tokens of sequence 0: one more unroll. Texts of tokens are the caller's.
  AttentionReport attention(const RecurrentLM& model, int64_t end,
                            const ProgressSink& progress) const;

  // Writes raw states too, while run() sweeps; see StateDump.
  void dump_states(StateDumpConfig dump) { dump_ = std::move(dump); }

  const MeasureConfig& config() const { return config_; }

 private:
  void sweep(const RecurrentLM& model, const ProgressSink& progress, Evaluation& result) const;

  MeasureConfig config_;
  int64_t trained_context_;
  StateDumpConfig dump_;
  Sequences sequences_;
};

}  // namespace farstate
