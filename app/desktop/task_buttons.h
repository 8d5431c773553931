// SPDX-License-Identifier: GPL-3.0-or-later
// What can be done with a task: one table over the runner's state, the model and the scores.
#pragma once

#include <QString>

#include "core/session/runner.h"

namespace farstate::desktop {

struct TaskButtons {
  bool ask = false;    // let the model answer a sample; also between two steps of training
  bool score = false;
  bool stop = false;   // the scoring
  bool train = false;  // load the task's text, or the recipe's own again
  bool operator==(const TaskButtons&) const = default;
};

// model null: none is loaded. scores null: nothing was scored.
TaskButtons task_buttons(RunState state, const ModelInfo* model, const TaskScores* scores);

// Why nothing can be scored now, as a sentence; empty: it can, or it goes on.
QString task_hint(RunState state, const ModelInfo* model, const TaskScores* scores);

}  // namespace farstate::desktop
