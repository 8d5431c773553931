// SPDX-License-Identifier: GPL-3.0-or-later
// Post-training, or training from scratch: windows of T tokens, an initial state by the chosen
// intervention, AdamW. The whole of a step's randomness follows from (seed, step), so a run that
// is stopped and resumed makes the same numbers as one that is not.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/formats/safetensors.h"
#include "core/data/corpus.h"
#include "core/interventions/initial_state_policy.h"
#include "core/models/recurrent_lm.h"
#include "core/results/run_record.h"
#include "core/session/adamw.h"
#include "core/session/run_config.h"

namespace farstate {

class Trainer {
 public:
  // Model and corpus outlive the trainer. config.train.steps is the run's planned length, which
  // the cosine schedule needs.
  Trainer(RecurrentLM& model, const Corpus& corpus, const RunConfig& config);

  // One optimizer step. Throws Error(kDiverged) when the loss or the gradient is not finite; the
  // weights are then those before the step. Throws Error(kInterrupted) likewise on a stop.
  TrainPoint step();

  // From the next step on.
  void set_intervention(const InterventionConfig& config);
  void set_learning_rate(double rate);
  void set_planned_steps(int64_t steps) { config_.train.steps = steps; }

  int64_t steps() const { return optimizer_.steps(); }
  const RunConfig& config() const { return config_; }  // as changed
  const std::vector<TrainPoint>& points() const { return points_; }
  const std::vector<RunEvent>& events() const { return events_; }
  const InitialStatePolicy& policy() const { return *policy_; }
  void add_event(const std::string& kind, const std::string& text);

  // Weights, moments, carried state, curve, events and recipe: all that the next step depends on,
  // in one file that is written beside and renamed.
  void save(const std::string& path) const;
  // Into a trainer of the same model and corpus. Throws Error(kBadInput).
  void restore(const TensorTable& file);
  // The recipe of a saved run.
  static RunConfig saved_config(const TensorTable& file);

 private:
  void restore_all(const TensorTable& file);
  double learning_rate(int64_t step) const;
  at::Tensor draw_tokens(int64_t step);  // [B,T+1]
  void read_fixed_set();                 // what the law is still to be shown before it is drawn from
  // Adds the gradients of the batch's mean loss, unless that is not finite, and returns the loss,
  // the state after the last position, and the statistics that the law wants to see.
  struct Pass {
    double loss = 0;
    ModelState final_state;
    std::vector<at::Tensor> stats;  // as Observation::stats
  };
  Pass forward_backward(const at::Tensor& tokens, const ModelState& initial);

  RecurrentLM& model_;
  const Corpus& corpus_;
  RunConfig config_;
  AdamW optimizer_;
  std::unique_ptr<InitialStatePolicy> policy_;
  std::vector<TrainPoint> points_;
  std::vector<RunEvent> events_;
};

}  // namespace farstate
