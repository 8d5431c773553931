// SPDX-License-Identifier: GPL-3.0-or-later
// A short run on a few words, for tests of training.
#pragma once

#include <memory>
#include <string>

#include "core/data/corpus.h"
#include "core/session/run_config.h"

namespace farstate::testing {

inline Corpus words_corpus() {
  std::string text;
  for (int i = 0; i < 400; ++i) text += i % 3 == 0 ? "the cat sat " : "on the mat ";
  Corpus corpus;
  corpus.name = "words";
  corpus.tokens = std::make_shared<ByteTokens>(text);
  corpus.train_end = static_cast<int64_t>(text.size());
  return corpus;
}

inline RunConfig small_run(Intervention kind) {
  RunConfig config;
  config.intervention.kind = kind;
  config.intervention.zero_probability = 0.3;
  if (kind == Intervention::kMixture) {
    config.intervention.mixture = {{"random-noise", 1}, {"fitted-noise", 2}, {"state-passing", 2}};
  }
  config.train.context = 16;
  config.train.batch = 4;
  config.train.learning_rate = 3e-3;
  config.train.warmup = 2;
  config.train.steps = 12;
  config.seed = 21;
  return config;
}

}  // namespace farstate::testing
