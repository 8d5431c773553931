// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "core/base/process.h"
#include "core/checkpoint/model_files.h"
#include "core/session/jobs.h"
#include "core/session/lr_finder.h"
#include "core/session/memory_estimate.h"
#include "core/session/training_run.h"
#include "core/session/training_text.h"

namespace farstate {

LrFinding find_learning_rate(const RunConfig& config, const LrSearch& search,
                             const ProgressSink& progress) {
  validate(config);
  const LoadedModel loaded = load_model(for_training(config.model), config.seed, progress);
  const Corpus corpus = open_text(config, loaded.info, loaded.tokenizer, progress);
  check_window(corpus, config.train.context);
  const ModelMemory memory = model_memory(*loaded.model);
  refuse_what_does_not_fit("The search", training_bytes(memory, config.train),
                           training_advice(memory, config.train, available_memory()));
  return find_learning_rate(*loaded.model, corpus, config, search, [&](const LrFinding& so_far) {
    if (!progress) return;
    progress(fmt::format("step {} of at most {}", so_far.losses.size(), search.steps),
             static_cast<double>(so_far.losses.size()) / static_cast<double>(search.steps));
  });
}

}  // namespace farstate
