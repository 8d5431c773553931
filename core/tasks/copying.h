// SPDX-License-Identifier: GPL-3.0-or-later
// Copying a string of random letters (Jelassi et al. 2024, arXiv:2402.01032): a mark, the string, a
// mark, the string again, and the end of the line.
//   > a q x| a q x
// A letter has the space before it, so that it is one token for words as for byte pairs.
#pragma once

#include <memory>

#include "core/tasks/task.h"

namespace farstate {

std::unique_ptr<Task> make_copying(const TaskConfig& config);

}  // namespace farstate
