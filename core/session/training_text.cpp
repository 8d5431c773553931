// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/training_text.h"

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/data/generated_text.h"
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

std::string generated_text_of(const RunConfig& config, const ModelInfo& model) {
  const DataConfig& data = config.data;
  if (!config.task.name.empty() || !data.path.empty() || !data.tokens.empty()) return "";
  if (!data.generated.empty()) return data.generated;
  return model.text.empty() ? kGeneratedTexts[0] : model.text;
}

Corpus open_text(const RunConfig& config, const ModelInfo& model,
                 const std::shared_ptr<const Tokenizer>& tokenizer, const ProgressSink& progress) {
  if (config.task.name.empty()) {
    DataConfig data = config.data;
    data.generated = generated_text_of(config, model);
    return load_corpus(data, model.vocabulary, tokenizer, progress);
  }
  const std::unique_ptr<Task> task = task_of(config, model.vocabulary, tokenizer);
  return task_corpus(*task, tokenizer, config.task, config.train.context, config.data.held_out,
                     progress);
}

}  // namespace farstate
