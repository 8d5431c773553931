// SPDX-License-Identifier: GPL-3.0-or-later
// A state in a file: safetensors with "layers.<i>.recurrent" and "layers.<i>.context", and where it
// is known "hidden", from which the next token is predicted.
#pragma once

#include <string>

#include "core/models/recurrent_lm.h"
#include "core/state/held_state.h"

namespace farstate {

// `before` is not written: a file holds one state.
void save_state(const std::string& path, const HeldState& held);

// Throws Error(kBadInput) naming the tensor that this model's state has not, or whose shape is not
// this model's.
HeldState load_state(const std::string& path, const RecurrentLM& model);

}  // namespace farstate
