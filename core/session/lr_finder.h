// SPDX-License-Identifier: GPL-3.0-or-later
// A search for a learning rate (after Smith 2017, arXiv:1506.01186): the chosen law and data are
// trained on while the rate rises geometrically, until the loss has risen for good.
#pragma once

#include <functional>

#include "core/data/corpus.h"
#include "core/models/recurrent_lm.h"
#include "core/results/lr_finding.h"
#include "core/session/run_config.h"

namespace farstate {

// Trains the model's weights, which nobody should need afterwards. `on_step` is called after every
// step with what there is so far, without a suggestion. Throws Error(kBadUsage) where the search makes
// no sense. A stop ends it.
LrFinding find_learning_rate(RecurrentLM& model, const Corpus& corpus, const RunConfig& config,
                             const LrSearch& search,
                             const std::function<void(const LrFinding&)>& on_step = {});

// Smooths the losses and sets suggestion and sentence. The suggestion is a tenth of the largest rate
// at which the smoothed loss is still as good as its smallest, give or take its own scatter; the rate
// is that in the middle of the losses it is a mean of. There is none where the loss neither fell nor rose beyond that.
void judge(LrFinding& finding);

}  // namespace farstate
