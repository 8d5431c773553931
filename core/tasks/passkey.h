// SPDX-License-Identifier: GPL-3.0-or-later
// Passkey retrieval (Mohtashami and Jaggi 2023, arXiv:2305.16300): a key of five digits stands
// somewhere in a long text that says nothing else, and is asked for at its end.
//   Find the pass key in this text. The lake is still. … The pass key is 48213. Remember: 48213 is
//   the pass key. The hill is low. … What is the pass key? The pass key is 48213
// What stands before the key is the same for all keys, so prompts of one length and depth share it.
#pragma once

#include <memory>

#include "core/tasks/task.h"

namespace farstate {

std::unique_ptr<Task> make_passkey(const TaskConfig& config,
                                   std::shared_ptr<const Tokenizer> tokenizer);

}  // namespace farstate
