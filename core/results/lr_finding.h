// SPDX-License-Identifier: GPL-3.0-or-later
// A search for a learning rate: the loss while the rate rises.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/results/series.h"

namespace farstate {

struct LrSearch {
  double from = 1e-6;  // the rate of the first step
  double to = 1;       // of the last; each is the one before times the same factor
  int64_t steps = 100;
};

struct LrFinding {
  std::vector<double> rates;
  std::vector<double> losses;    // before the update at that rate, nats
  std::vector<double> smoothed;  // their mean, newer ones weighing more
  bool diverged = false;         // it was ended because the loss rose for good
  bool interrupted = false;
  std::optional<double> suggestion;  // empty: the losses say nothing
  std::string sentence;              // the suggestion and the rule that it follows from
};

// "lr_loss" and "lr_loss_smoothed" over "learning_rate", and "lr_suggestion", a single point.
std::vector<Series> lr_series(const LrFinding& finding);

}  // namespace farstate
