// SPDX-License-Identifier: GPL-3.0-or-later
// The recipe: plain data that says everything a run depends on. The same recipe gives the same
// numbers in the window and in the terminal program.
#pragma once

#include <cstdint>
#include <string>

#include "core/checkpoint/model_source.h"
#include "core/data/data_config.h"
#include "core/interventions/intervention_config.h"
#include "core/probes/measure_config.h"

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
  bool operator==(const TrainConfig&) const = default;
};

struct RunConfig {
  ModelSource model;
  DataConfig data;
  InterventionConfig intervention;
  TrainConfig train;
  MeasureConfig measure;
  uint64_t seed = 7;
  bool operator==(const RunConfig&) const = default;
};

// Throws Error(kBadUsage) naming the key, what was found and what is allowed.
void validate(const RunConfig& config);

// JSON with every key written; reading rejects unknown keys and wrong types by name and takes
// the default for an absent key.
std::string to_json(const RunConfig& config);
RunConfig run_config_from_json(const std::string& text);

// One line for a person: "demo T=64 state-passing seed=7".
std::string summary(const RunConfig& config);

}  // namespace farstate
