// SPDX-License-Identifier: GPL-3.0-or-later
// farstate task: samples of long-context tasks, training on them, scores, and the recorded ones.
#pragma once

#include "app/terminal/task_options.h"

namespace farstate {

// Does what the parsed command asks for; returns the exit code and throws Error.
int run_task(const CLI::App& command, TasksOptions& options);

}  // namespace farstate
