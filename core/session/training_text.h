// SPDX-License-Identifier: GPL-3.0-or-later
// The text of a recipe: the one that its data names, or its task's.
#pragma once

#include <cstdint>
#include <memory>

#include "core/base/progress.h"
#include "core/data/corpus.h"
#include "core/results/run_info.h"
#include "core/session/run_config.h"
#include "core/tasks/task.h"

namespace farstate {

// The name of the generated text that a recipe reads with this model: the one that it names, or the
// model's own. Empty: it reads another text.
std::string generated_text_of(const RunConfig& config, const ModelInfo& model);

// As load_corpus(), with the model's own generated text where the recipe leaves that open; a task's
// text is made, and nothing is read.
Corpus open_text(const RunConfig& config, const ModelInfo& model,
                 const std::shared_ptr<const Tokenizer>& tokenizer,
                 const ProgressSink& progress = {});

// The recipe's task for a model with this tokenizer. Throws Error(kBadInput) where the tokenizer is
// null or another model's, Error(kBadUsage) where the recipe has no task.
std::unique_ptr<Task> task_of(const RunConfig& config, int64_t vocabulary,
                              const std::shared_ptr<const Tokenizer>& tokenizer);

}  // namespace farstate
