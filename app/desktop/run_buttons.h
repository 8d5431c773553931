// SPDX-License-Identifier: GPL-3.0-or-later
// What can be done in each state of the runner: one table, from which every button, key and field
// takes whether it is enabled and what it says.
#pragma once

#include <QString>

#include "core/session/runner.h"

namespace farstate::desktop {

struct RunButtons {
  enum class Primary { kRun, kPause, kResume };
  Primary primary = Primary::kRun;
  bool run = false;  // the primary button, whatever it says
  bool step = false;
  bool stop = false;
  bool reset = false;
  bool measure = false;
  bool save = false;
  bool intervention = false;  // may the law of the initial state be changed
  bool settings = false;      // steps, context, batch, seed, measuring
  bool rate = false;          // the learning rate, also while training
  bool operator==(const RunButtons&) const = default;
};

RunButtons buttons_for(RunState state);

QString primary_text(RunButtons::Primary primary);
QString state_text(RunState state);     // "Training", "Paused", …
QString settings_hint(RunState state);  // why fields are read-only now; empty if they are not

}  // namespace farstate::desktop
