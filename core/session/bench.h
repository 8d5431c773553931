// SPDX-License-Identifier: GPL-3.0-or-later
// How fast this machine does the work of this program: a blocking job beside those of jobs.h, and as
// free of LibTorch.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/results/bench_report.h"

namespace farstate {

inline const std::vector<std::string> kBenchParts = {"train", "evaluate", "kernels"};

struct BenchJob {
  // Instead of the shapes that are built in this one alone: a config.json in any spelling.
  std::string model_config;
  std::optional<int64_t> context, batch;  // of its training
  std::optional<int64_t> length;          // of every text that is evaluated
  std::string dtype;               // "float32" or "bfloat16"; empty: all that the machine computes itself
  std::vector<std::string> parts;  // of kBenchParts; empty: all, of a model_config the first two
  bool quick = false;              // fewer shapes, shorter texts, fewer runs
};

struct BenchPlan {
  int64_t trainings = 0, evaluations = 0, kernels = 0;  // to be timed
  double seconds = 0;                                   // that this will take, about
};

// Refuses a machine that computes wrong numbers (kInternal), and of a model_config what does not fit
// into memory; of the shapes that are built in, that is left out with a note. `on_plan` is called
// when matrix products alone have been timed, `on_figure` with all that was timed so far, after each.
// A stop throws.
BenchReport bench(const BenchJob& job,
                  const std::function<void(const BenchReport&, const BenchPlan&)>& on_plan,
                  const std::function<void(const BenchReport&)>& on_figure,
                  const ProgressSink& progress = {});

}  // namespace farstate
