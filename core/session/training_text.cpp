// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/training_text.h"

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/tasks/task_tokens.h"

namespace farstate {

std::unique_ptr<Task> task_of(const RunConfig& config, int64_t vocabulary,
                              const std::shared_ptr<const Tokenizer>& tokenizer) {
  if (config.task.name.empty()) {
    throw Error(ErrorKind::kBadUsage, "The recipe has no task; name one in \"task.name\".");
  }
  check_tokenizer(tokenizer.get(), vocabulary, fmt::format("The task {}", config.task.name));
  return make_task(config.task, tokenizer);
}

Corpus open_text(const RunConfig& config, int64_t vocabulary,
                 const std::shared_ptr<const Tokenizer>& tokenizer, const ProgressSink& progress) {
  if (config.task.name.empty()) return load_corpus(config.data, vocabulary, tokenizer, progress);
  const std::unique_ptr<Task> task = task_of(config, vocabulary, tokenizer);
  return task_corpus(*task, tokenizer, config.task, config.train.context, config.data.held_out,
                     progress);
}

}  // namespace farstate
