// SPDX-License-Identifier: GPL-3.0-or-later
// farstate.json: what only Farstate knows of a model.
#pragma once

#include <cstdint>
#include <string>

namespace farstate {

// All of it may be absent in a model from elsewhere.
struct Provenance {
  int64_t trained_context = 0;  // T; 0: not recorded
  std::string trained_with;     // "zero", "state-passing", …
  int64_t steps = 0;            // optimizer steps of the training that wrote the folder
  std::string text;             // the generated text that it was trained on; empty: another
  std::string recipe;           // JSON of its RunConfig; empty: none
};

Provenance provenance_from_json(const std::string& text, const std::string& source);
std::string to_json(const Provenance& provenance);

}  // namespace farstate
