// SPDX-License-Identifier: GPL-3.0-or-later
// Runs as they are written into a store.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "core/store/run_store.h"

namespace farstate::testing {

inline StoredRun some_run(const std::string& name = "demo zero seed 7") {
  StoredRun run;
  run.name = name;
  run.program = "farstate 0.1.0";
  run.recipe = R"({"train":{"context":64,"steps":20},"seed":7})";
  run.law = "zero";
  run.seed = 7;
  run.planned = 20;
  return run;
}

inline std::vector<TrainPoint> points(int64_t first, int64_t last) {
  std::vector<TrainPoint> all;
  for (int64_t step = first; step <= last; ++step) {
    const double at = static_cast<double>(step);
    all.push_back({step, 3.0 / at, 0.1 * at, 5e-4, 1e4 + at});
  }
  return all;
}

// Perplexity in bins of two positions up to 128 and a head's state at some, as snapshots hold them.
inline Snapshot snapshot(int64_t step) {
  Snapshot s;
  s.step = step;
  Series perplexity;
  perplexity.name = "perplexity";
  perplexity.x_name = "position";
  perplexity.unit = "perplexity";
  for (int64_t begin = 1; begin < 128; begin += 2) {
    const double y = static_cast<double>(begin) / static_cast<double>(step);
    perplexity.bin_begin.push_back(begin);
    perplexity.bin_end.push_back(begin + 2);
    perplexity.x.push_back(std::sqrt(static_cast<double>(begin * (begin + 2))));
    perplexity.y.push_back(y);
    perplexity.lower.push_back(y - 0.1);
    perplexity.upper.push_back(y + 0.1);
  }
  perplexity.sequences = 8;
  Series loss = perplexity;
  loss.name = "loss";
  loss.unit = "nats";
  Series norm;
  norm.name = "state_norm";
  norm.x_name = "position";
  norm.unit = "1";
  norm.x = {1, 64, 128};
  norm.y = {0.5, 1, 1.0 / static_cast<double>(step)};
  norm.layer = 1;
  norm.head = 3;
  norm.sequences = 1;
  s.series = {perplexity, loss, norm};
  s.notes = {"Measured on 8 sequences of the held-out text."};
  return s;
}

}  // namespace farstate::testing
