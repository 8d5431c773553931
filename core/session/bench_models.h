// SPDX-License-Identifier: GPL-3.0-or-later
// Whole models at work, timed: random weights, random ids.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/models/model_config.h"
#include "core/results/bench_report.h"
#include "core/session/run_config.h"
#include "core/session/stopwatch.h"

namespace farstate {

struct BenchShape {
  std::string name;
  Mamba2Config config;
};

std::vector<BenchShape> small_shapes();  // 0.1M, 1M and 10M parameters
BenchShape large_shape();                // of mamba2-130m

// What one step of training, or the evaluation of a text, is made of, in useful operations.
double training_flops(const Mamba2Config& config, const TrainConfig& train);
double evaluation_flops(const Mamba2Config& config, int64_t length);

// Throw Error(kOutOfMemory) where it clearly can't be done on this machine.
void refuse_training_that_does_not_fit(const BenchShape& shape, const TrainConfig& train);
void refuse_evaluation_that_does_not_fit(const BenchShape& shape, int64_t length);

// Without the share of a roofline, which is not known here. `dtype`: "float32", "bfloat16".
TrainSpeed time_training(const BenchShape& shape, const TrainConfig& train, const TimingPace& pace);
EvaluateSpeed time_evaluation(const BenchShape& shape, int64_t length, const std::string& dtype,
                              const TimingPace& pace, const ProgressSink& progress);

}  // namespace farstate
