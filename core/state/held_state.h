// SPDX-License-Identifier: GPL-3.0-or-later
// A state that is held in the hand: kept from a text, read from a file, gone on from.
#pragma once

#include <optional>

#include "core/state/model_state.h"

namespace farstate {

struct HeldState {
  ModelState state;                 // one row
  std::optional<int64_t> position;  // tokens that were read into it; empty: not known
  at::Tensor hidden;   // [1,D] of the last token: predicts the next. Undefined: nothing does
  ModelState before;   // what the last token was read from; empty: not known
  int64_t last = -1;   // the last token, where `before` is known

  HeldState clone() const {
    return {state.clone(), position, hidden.defined() ? hidden.clone() : hidden, before.clone(),
            last};
  }
  // To be gone on from by other weights: they made neither hidden nor state from `before`.
  void forget_prediction() {
    hidden.reset();
    before = {};
    last = -1;
  }
};

}  // namespace farstate
