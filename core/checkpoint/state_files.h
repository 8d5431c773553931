// SPDX-License-Identifier: GPL-3.0-or-later
// A ModelState in a file: safetensors with "layers.<i>.recurrent" and "layers.<i>.context".
#pragma once

#include <string>

#include "core/models/recurrent_lm.h"
#include "core/state/model_state.h"

namespace farstate {

void save_state(const std::string& path, const ModelState& state);

// Throws Error(kBadInput) naming the tensor whose shape is not this model's.
ModelState load_state(const std::string& path, const RecurrentLM& model);

}  // namespace farstate
