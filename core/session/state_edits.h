// SPDX-License-Identifier: GPL-3.0-or-later
// Changes to the recurrent states of chosen heads.
#pragma once

#include <vector>

#include "core/models/model_sizes.h"
#include "core/session/generation.h"
#include "core/state/model_state.h"

namespace farstate {

// Throws Error(kBadUsage) for a head that the model has not and an amount that means nothing.
void check_edits(const std::vector<StateEdit>& edits, const ModelSizes& sizes);

// One after another, in place, on every row. The noise of a head depends on the seed, the layer and
// the head alone, not on which other heads were chosen. A head of zeros has no scale and stays zero.
void apply_edits(const std::vector<StateEdit>& edits, ModelState& state);

}  // namespace farstate
