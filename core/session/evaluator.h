// SPDX-License-Identifier: GPL-3.0-or-later
// Measures a model: all chosen probes over the same sequences.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/data/corpus.h"
#include "core/models/unroll.h"
#include "core/probes/measure_config.h"
#include "core/probes/probe.h"
#include "core/results/results.h"
#include "core/tokenizer/tokenizer.h"

namespace farstate {

// Rows that are swept together: more make better use of the cores, and each costs its state.
constexpr int64_t kRowsPerSweep = 16;

struct Evaluation {
  MeasureConfig config;  // as resolved: part, sequences, length, EffRem's T
  // False while the common sweep goes on: then only the curves of loss and state are here, as far as
  // it has come and over the sequences that were read.
  bool swept = false;
  std::vector<Series> series;
  PerPosition per_position;
  std::optional<StateReport> states;  // without recipe and step
  std::vector<std::string> notes;
  bool finite = true;  // false: a state was not, and a note says where
};

// How often curves are shown while the sweep goes on.
struct ShowingPace {
  double rest = 0.3;    // seconds between two times, at least
  double share = 0.02;  // of the time that it may take: thousands of heads are shown more rarely
};

TokenRows rows_of(const Sequences& sequences);

class Evaluator {
 public:
  // Chooses the sequences; their tokens are read as they are wanted. trained_context: of the model's
  // own training, 0 if it is not known; it gives EffRem its T where the settings leave it open, and
  // is where the states of training are taken. The tokenizer, null for none, makes ids readable.
  // Throws Error(kBadInput) when the text is too short.
  Evaluator(const Corpus& corpus, const MeasureConfig& config, int64_t trained_context,
            std::shared_ptr<const Tokenizer> tokenizer = nullptr);

  // All probes but EffRem and attention share one sweep, EffRem has its own. `on_series` is called with an
  // Evaluation that holds what is complete so far, after each of the two, and with the curves as far
  // as they go while the sweep goes on. A state that is not finite ends the sweep: what was measured
  // before it is kept, and EffRem is not begun. A stop throws.
  Evaluation run(const RecurrentLM& model, const ProgressSink& progress,
                 const std::function<void(const Evaluation&)>& on_series = {}) const;

  // Writes raw states too, while run() sweeps; see StateDump.
  void dump_states(StateDumpConfig dump) { dump_ = std::move(dump); }
  void show_at(const ShowingPace& pace) { pace_ = pace; }

  const MeasureConfig& config() const { return config_; }
  const Sequences& sequences() const { return sequences_; }

 private:
  struct Observers;
  Observers make_observers(const RecurrentLM& model) const;
  // Reads all sequences as far as the states are finite, and says how far that is.
  Reach read(const RecurrentLM& model, Observers& observers, const ProgressSink& progress,
             const std::function<void(const Evaluation&)>& on_series, Evaluation& result) const;
  void sweep(const RecurrentLM& model, const ProgressSink& progress,
             const std::function<void(const Evaluation&)>& on_series, Evaluation& result) const;

  MeasureConfig config_;
  int64_t trained_context_;
  std::shared_ptr<const Tokenizer> tokenizer_;
  StateDumpConfig dump_;
  ShowingPace pace_;
  Sequences sequences_;
};

}  // namespace farstate
