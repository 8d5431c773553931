// SPDX-License-Identifier: GPL-3.0-or-later
// The recipe: plain data that says everything a run depends on. The same recipe gives the same
// numbers in the window and in the terminal program.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/checkpoint/model_source.h"
#include "core/data/data_config.h"
#include "core/interventions/intervention_config.h"
#include "core/probes/measure_config.h"
#include "core/tasks/task_config.h"

namespace farstate {

struct TrainConfig {
  int64_t steps = 200;
  int64_t context = 64;  // T
  int64_t batch = 32;    // B
  // Rows that are computed at once, their gradients added up to the batch's; 0: all. Less memory
  // for activations, and the same numbers up to rounding.
  int64_t micro_batch = 0;
  double learning_rate = 5e-4;
  int64_t warmup = 10;                // steps of linear rise
  std::string schedule = "constant";  // or "cosine", which falls to a tenth of the rate
  double weight_decay = 0.1;          // not on A_log, dt_bias, D, norms and biases
  double beta1 = 0.9;
  double beta2 = 0.95;
  double clip = 1.0;         // of the global gradient norm; 0: none
  int64_t save_every = 100;  // steps between checkpoints of a run that has a folder; 0: at its end
  int64_t evaluate_every = 0;  // steps between curves by position of the held-out text; 0: none
  // Steps in a row whose loss or gradient is not finite and that are passed over; one more ends the
  // run.
  int64_t most_skips = 3;
  // Nats by which the mean loss of the last 20 steps may exceed its smallest value before the run
  // ends as diverged; 0: any.
  double divergence = 2.0;
  // Of the projections and the head: "float32", or "bfloat16" with sums, weights and the state in
  // float32.
  std::string compute = "float32";
  // Keep the input of each layer alone for the backward pass and compute the layer again there.
  bool recompute = false;
  bool operator==(const TrainConfig&) const = default;
};

// What a person changed while the run went on. Part of the recipe: the same changes at the same
// steps give the same numbers.
struct RecipeChange {
  int64_t step = 0;   // optimizer steps done when it took effect
  std::string key;    // "intervention.sigma", as the recipe's JSON has it
  std::string value;  // JSON
  bool operator==(const RecipeChange&) const = default;
};

struct RunConfig {
  ModelSource model;
  DataConfig data;
  TaskConfig task;  // with a name: its text instead of data's
  InterventionConfig intervention;
  TrainConfig train;
  MeasureConfig measure;
  ScoreConfig score;
  uint64_t seed = 7;
  std::vector<RecipeChange> changes = {};  // by step
  bool operator==(const RunConfig&) const = default;
};

// Throws Error(kBadUsage) naming the key, what was found and what is allowed.
void validate(const RunConfig& config);

// JSON with every key written; reading rejects unknown keys and wrong types by name and takes
// the default for an absent key.
std::string to_json(const RunConfig& config);
RunConfig run_config_from_json(const std::string& text);
// The recipe in what the programs hand out: by itself or below a line for a person, as the window
// copies it; under "recipe" in results or a run's farstate.json; in the line "# recipe" of a table.
RunConfig recipe_in(std::string_view text);

// The settings in force after `step` steps: the recipe's with all changes up to there, and no changes
// of its own.
RunConfig at_step(const RunConfig& config, int64_t step);

// The keys in which two recipes differ, with `after`'s values, as changes at `step`.
std::vector<RecipeChange> changes_between(const RunConfig& before, const RunConfig& after,
                                          int64_t step);

// The recipe of an experiment's arm: a law, and settings that differ from the shared ones,
// "random-noise:sigma=0.3:train.learning_rate=1e-4". Keys without a section are the intervention's.
// Throws Error(kBadUsage) naming the arm.
RunConfig with_arm(const RunConfig& shared, const std::string& arm);

// One line for a person: "demo T=64 state-passing seed=7".
std::string summary(const RunConfig& config);

}  // namespace farstate
