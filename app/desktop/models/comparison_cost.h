// SPDX-License-Identifier: GPL-3.0-or-later
// What a comparison will take on this machine, from a measured second of its work.
#pragma once

#include <QString>

#include "core/session/runner.h"

namespace farstate::desktop {

// The settings that the timed second depends on; all others as in an untouched recipe, so that two
// recipes with the same answer compare equal.
RunConfig cost_question(const RunConfig& recipe);

struct ComparisonCost {
  double seconds = 0;
  int64_t memory = 0;  // of the process at its peak, at most
  int64_t disk = 0;    // for the weights and optimizers of all runs
  bool fits = true;    // into the memory that there is
};
ComparisonCost comparison_cost(const CostAnswer& answer, const RunConfig& recipe,
                               const ExperimentPlan& plan);

QString cost_text(
    const ComparisonCost& cost);  // "about 3 min · 0.9 GB of memory · 20 MB on the disk"
// Of what the numbers consist and where they come from, in lines.
QString cost_details(const TrainingEstimate& estimate, const RunConfig& recipe,
                     const ExperimentPlan& plan);

}  // namespace farstate::desktop
