// SPDX-License-Identifier: GPL-3.0-or-later
// How much memory a job will take, from sizes and settings alone: said before it is loaded, and
// asked before it starts. docs/PERFORMANCE.md sets the estimates beside measured peaks.
#pragma once

#include <cstdint>
#include <string>

#include "core/models/recurrent_lm.h"
#include "core/results/training_estimate.h"
#include "core/session/run_config.h"

namespace farstate {

struct ModelMemory {
  ModelSizes sizes;
  int64_t parameters = 0;
  int64_t weight_bytes = 0;  // in the precision that they are held in
};
ModelMemory model_memory(const RecurrentLM& model);

// Beside the process, its text and the weights: the peak of a measurement. It depends on the
// length only through the number of bins, and through every position's loss where that is kept.
int64_t measuring_bytes(const ModelMemory& model, const MeasureConfig& config);

// The same for a close look at the states of as many sequences, at this many positions.
int64_t examining_bytes(const ModelMemory& model, const MeasureConfig& config, int64_t positions);

// The peak of training by what holds it; of the process only what it will keep for later tensors.
TrainingMemory training_memory(const ModelMemory& model, const TrainConfig& config);

// Beside the process, its text and the weights (fp32): the peak of training, and of measuring
// between its steps.
int64_t training_bytes(const ModelMemory& model, const TrainConfig& config);
int64_t measuring_between_steps_bytes(const ModelMemory& model, const MeasureConfig& config);

// What takes the most of a training that does not fit into `available` bytes beside the weights, and
// which settings would help, to end a sentence.
std::string training_advice(const ModelMemory& model, const TrainConfig& config, int64_t available);

// What this process holds now, and what the first tensor operations will add to it: code that is
// paged in, the threads' stacks and the matrix product's buffers.
int64_t process_bytes();

// Throws Error(kOutOfMemory) where `bytes` more than now are clearly more than can be had. `job`
// begins the sentence ("Measuring"), `advice` ends it.
void refuse_what_does_not_fit(const std::string& job, int64_t bytes, const std::string& advice);

}  // namespace farstate
