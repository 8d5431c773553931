// SPDX-License-Identifier: GPL-3.0-or-later
// What happens during a training run, step by step.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/results/series.h"

namespace farstate {

struct TrainPoint {
  int64_t step = 0;  // counts from 1: the loss before the step-th update
  double loss = 0;   // mean nats per token of the batch; not finite: the update was passed over
  double grad_norm = 0;
  double learning_rate = 0;
  double tokens_per_second = 0;
};

// The curves by position of the held-out text after `step` updates; by their sequence a curve can be
// watched as it flattens.
struct Snapshot {
  int64_t step = 0;
  std::vector<Series> series;
  std::vector<std::string> notes;
};

// Something that happened at a step and belongs on the plots and in the record.
struct RunEvent {
  int64_t step = 0;  // updates done when it happened
  std::string kind;  // "change", "skipped", "fork", "saved"
  std::string text;  // for a person: "state passing from here"
};

// "train_loss" and "tokens_per_second" over "step".
std::vector<Series> train_series(const std::vector<TrainPoint>& points);

}  // namespace farstate
