// SPDX-License-Identifier: GPL-3.0-or-later
// A register: keys whose values change. An event names a key, drawn uniformly, and says its value,
// which has just changed with some probability:
//    lamp red door blue lamp red door green
// Of a sample the answers are the values of keys that it has named before and that have not just
// changed: the others can't be known. The evidence of an answer, at the same place in its list, is
// the event that named the key last. What is trained on is one endless text, of which every value
// counts, since a reader can't tell beforehand which ones have changed.
#pragma once

#include <memory>

#include "core/tasks/task.h"

namespace farstate {

std::unique_ptr<Task> make_register(const TaskConfig& config,
                                    std::shared_ptr<const Tokenizer> tokenizer);

}  // namespace farstate
