// SPDX-License-Identifier: GPL-3.0-or-later
// BABILong (Kuratov et al. 2024, arXiv:2406.10149) as a task: facts of a small world hidden in a
// long text, and a question about them. From the benchmark's own files, or generated.
#pragma once

#include <memory>

#include "core/tasks/task.h"

namespace farstate {

// As make_task().
std::unique_ptr<Task> make_babilong(const TaskConfig& config,
                                    std::shared_ptr<const Tokenizer> tokenizer);

}  // namespace farstate
