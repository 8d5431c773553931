// SPDX-License-Identifier: GPL-3.0-or-later
// A task's samples as tokens: one by one for scoring, and as a text to train on.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/progress.h"
#include "core/data/corpus.h"
#include "core/tasks/task.h"

namespace farstate {

struct TokenSpan {
  int64_t begin = 0, end = 0;
};

struct TaskTokens {
  std::vector<int32_t> ids;        // of the whole text
  std::vector<TokenSpan> answers;  // the tokens that hold at least one byte of each answer
};

// Throws Error(kBadInput) where the tokens' bytes are not those of the text.
TaskTokens tokenise(const TaskSample& sample, const Tokenizer& tokenizer);

// The text before the first answer, as a model reads it that is to go on with the answer.
std::vector<int32_t> prompt_tokens(const TaskSample& sample, const Tokenizer& tokenizer);

// Samples one behind the other, config.tokens tokens or a few more, the same for every run.
// Corpus::counted marks the answers and the token that ends the last one of a sample (all tokens
// where config.loss is "all"), and windows begin where samples do (where events do in an endless
// text). A window of `context` + 1 tokens holds at least one sample. Throws as Task::sample() does,
// and Error(kBadUsage) where the context is too short. A stop throws.
Corpus task_corpus(const Task& task, const std::shared_ptr<const Tokenizer>& tokenizer,
                   const TaskConfig& config, int64_t context, double held_out,
                   const ProgressSink& progress = {});

}  // namespace farstate
