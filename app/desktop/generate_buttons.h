// SPDX-License-Identifier: GPL-3.0-or-later
// What can be done with a generation: one table over the runner's state and the generation's stage.
#pragma once

#include <QString>

#include "core/session/runner.h"

namespace farstate::desktop {

struct GenerateButtons {
  bool start = false;  // given that there is something to read
  bool go_on = false;  // and one token
  bool stop = false;
  bool keep = false;   // the state, now or after a token of the text; also while it grows
  bool edit = false;   // the state where it is, held
  bool shelf = false;  // forget, write and read kept states
  bool operator==(const GenerateButtons&) const = default;
};

GenerateButtons generate_buttons(RunState state, Generation::Stage stage);

// Why nothing can be generated now, as a sentence; empty: it can. model null: none is loaded.
QString generate_hint(RunState state, const ModelInfo* model);

// "generating, token 312", "held after token 312", …
QString stage_text(const Generation& generation);

}  // namespace farstate::desktop
