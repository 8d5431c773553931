// SPDX-License-Identifier: GPL-3.0-or-later
// The text of a recipe: the one that its data names, or its task's.
#pragma once

#include <cstdint>
#include <memory>

#include "core/base/progress.h"
#include "core/data/corpus.h"
#include "core/session/run_config.h"
#include "core/tasks/task.h"

namespace farstate {

// As load_corpus(); a task's text for a model of `vocabulary` ids is made, and nothing is read.
Corpus open_text(const RunConfig& config, int64_t vocabulary,
                 const std::shared_ptr<const Tokenizer>& tokenizer,
                 const ProgressSink& progress = {});

// The recipe's task for a model with this tokenizer. Throws Error(kBadInput) where the tokenizer is
// null or another model's, Error(kBadUsage) where the recipe has no task.
std::unique_ptr<Task> task_of(const RunConfig& config, int64_t vocabulary,
                              const std::shared_ptr<const Tokenizer>& tokenizer);

}  // namespace farstate
