// SPDX-License-Identifier: GPL-3.0-or-later
// The states that were kept, by name.
#pragma once

#include <string>
#include <vector>

#include "core/models/recurrent_lm.h"
#include "core/session/generation.h"
#include "core/state/held_state.h"

namespace farstate {

class StateShelf {
 public:
  // In place of the one of that name, if there is one. `origin` as KeptState::origin.
  void keep(const std::string& name, HeldState held, const std::string& origin);
  void drop(const std::string& name);
  // Throws Error(kBadUsage) if there is none of that name.
  const HeldState& at(const std::string& name) const;
  std::vector<KeptState> list() const;  // in the order in which they were kept
  void clear() { kept_.clear(); }
  void forget_predictions();  // the weights that made them are gone

 private:
  struct Kept {
    KeptState shown;
    HeldState held;
  };
  std::vector<Kept> kept_;
};

// What the request's text is read from, its edits not yet made. Throws Error as load_state() and
// StateShelf::at() do, and Error(kBadUsage) for a sigma that means nothing.
HeldState initial_state(const GenerationRequest& request, const RecurrentLM& model,
                        const StateShelf& shelf);

// In words, for an origin: "random noise, sigma 1"; empty for the zero state.
std::string in_words(const InitialState& initial);

}  // namespace farstate
