// SPDX-License-Identifier: GPL-3.0-or-later
// Time and memory of a training, from a measured second of its own work. Pieces of a step run on the
// model itself, forward and backward, and their gradients are dropped; the optimizer runs on tensors
// of its own. So weights, moments and random numbers are what they were.
#pragma once

#include "core/checkpoint/model_files.h"
#include "core/data/corpus.h"
#include "core/results/training_estimate.h"
#include "core/session/run_config.h"

namespace farstate {

struct EstimateScope {
  int64_t steps = 0;
  bool trainer = false;   // exists already, so that the process holds its moments now
  bool measures = false;  // whole measurements by the recipe belong to the job
};

// Where the job does not fit, nothing is timed. Measurements are estimated where they belong to it,
// or where the recipe wants curves between the steps. A stop throws.
TrainingEstimate estimate_training(const LoadedModel& loaded, const Corpus& corpus,
                                   const RunConfig& config, const EstimateScope& scope);

// Tokens that a measurement reads; those of EffRem's t are spread over its length. Of a measurement
// whose values are all resolved.
double tokens_to_read(const MeasureConfig& measure);

// The part of a measurement's time that the curves between two steps take: that of its tokens.
double curve_share(const MeasureConfig& measure);

}  // namespace farstate
