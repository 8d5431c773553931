// SPDX-License-Identifier: GPL-3.0-or-later
// What a comparison shows and what it does not, in plain words. Says no more than that the ranges
// of the seeds overlap or don't: a handful of seeds carries no more.
#pragma once

#include <QString>

#include "core/results/experiment.h"

namespace farstate::desktop {

struct ExperimentWords {
  QString shows;  // never empty
  QString open;   // what it leaves open; empty: nothing that we know of
};
ExperimentWords experiment_words(const Experiment& experiment);

}  // namespace farstate::desktop
