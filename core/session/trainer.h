// SPDX-License-Identifier: GPL-3.0-or-later
// Post-training, or training from scratch: windows of T tokens, an initial state by the chosen
// intervention, AdamW. The whole of a step's randomness follows from (seed, step), so a run that
// is stopped and resumed makes the same numbers as one that is not.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/formats/safetensors.h"
#include "core/data/corpus.h"
#include "core/interventions/initial_state_policy.h"
#include "core/models/recurrent_lm.h"
#include "core/results/run_record.h"
#include "core/session/adamw.h"
#include "core/session/batch_gradients.h"
#include "core/session/loss_watch.h"
#include "core/session/run_config.h"

namespace farstate {

class Trainer {
 public:
  // Model and corpus outlive the trainer. config.train.steps is the run's planned length, which
  // the cosine schedule needs. config.changes take effect at their steps.
  Trainer(RecurrentLM& model, const Corpus& corpus, const RunConfig& config);
  ~Trainer();
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

  // One step: an update of the weights, or none where the loss or the gradient is not finite. Throws
  // Error(kDiverged) when too many steps in a row were passed over so, or the loss has risen too
  // far; the weights are then those of the last update. Throws Error(kInterrupted) on a stop, and
  // then nothing has happened.
  TrainPoint step();

  // Settings from the next step on; what differs becomes part of the recipe. Throws Error(kBadUsage)
  // where a setting can't change during a run.
  void change(const RunConfig& next);
  // Lengthens the run, or shortens it.
  void set_planned_steps(int64_t steps);

  int64_t steps() const { return steps_; }  // done, those that were passed over included
  int64_t planned_steps() const { return now_.train.steps; }
  const RunConfig& config() const { return config_; }  // the recipe: as begun, and what changed
  const RunConfig& now() const { return now_; }        // the settings in force
  const std::vector<TrainPoint>& points() const { return points_; }
  const std::vector<RunEvent>& events() const { return events_; }
  const InitialStatePolicy& policy() const { return *law_.policy; }
  void add_event(const std::string& kind, const std::string& text);
  // Whether the loss is near its best, so that the weights are worth keeping for a way back.
  bool healthy() const;

  // Weights, moments, carried state, curve, events and recipe: all that the next step depends on,
  // in one file that is written beside and renamed.
  void save(const std::string& path) const;
  // Into a trainer of the same model and corpus. Throws Error(kBadInput).
  void restore(const TensorTable& file);
  // Takes over all of that from a trainer of the same model's shape and the same corpus.
  void fork_from(const Trainer& parent);
  // The recipe of a saved run, and the steps that it has done.
  static RunConfig saved_config(const TensorTable& file);
  static int64_t saved_steps(const TensorTable& file);
  // What a saved run's law of noise has been fitted to; nothing where it has another law.
  static std::optional<FittedGaussians> saved_fit(const TensorTable& file, const RecurrentLM& model);

 private:
  void restore_all(const TensorTable& file);
  double learning_rate(int64_t step) const;
  Batch draw_batch(int64_t step);
  void read_fixed_set();                 // what the law is still to be shown before it is drawn from

  struct Law {
    InterventionConfig config;
    std::unique_ptr<InitialStatePolicy> policy;
  };
  Law make_law(const InterventionConfig& config) const;
  // Puts the changes that are due into force, and returns the law that another one replaced, if so.
  Law apply_changes();
  void tell_changes(bool of_law);  // as events
  void pass_over(TrainPoint point);
  void keep(const TrainPoint& point);
  void read_back();  // what follows from the points alone

  RecurrentLM& model_;
  const Corpus& corpus_;
  RunConfig config_;
  RunConfig now_;
  AdamW optimizer_;
  Law law_;
  int64_t steps_ = 0;
  int64_t skips_ = 0;  // steps in a row that were passed over
  LossWatch watch_;
  std::vector<TrainPoint> points_;
  std::vector<RunEvent> events_;
};

}  // namespace farstate
