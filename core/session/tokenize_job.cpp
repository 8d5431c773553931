// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/checkpoint/model_files.h"
#include "core/data/corpus.h"
#include "core/data/npy.h"
#include "core/data/tokenised_text.h"
#include "core/session/jobs.h"
#include "core/session/token_previews.h"

namespace farstate {

TokenizeOutcome tokenize(const TokenizeJob& job, const ProgressSink& progress) {
  using Clock = std::chrono::steady_clock;
  if (job.shown < 0) throw Error(ErrorKind::kBadUsage, "The number of tokens to show must be 0 or more.");
  if (!job.data.tokens.empty()) {
    throw Error(ErrorKind::kBadUsage, fmt::format("{} holds token ids already.", job.data.tokens));
  }
  const int64_t vocabulary = vocabulary_of(job.model);
  const std::shared_ptr<const Tokenizer> tokenizer = tokenizer_of(job.model, vocabulary);
  check_tokenizer(tokenizer.get(), job.model.tokenizer.empty() ? vocabulary : INT64_MAX,
                  job.data.path.empty() ? "The text" : job.data.path);
  const auto begin = Clock::now();
  const TokenisedText text = job.data.path.empty()
                                 ? tokenise_text(generated_text(), tokenizer, progress)
                                 : tokenise_file(job.data.path, tokenizer, progress);
  TokenizeOutcome outcome;
  outcome.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  outcome.tokenizer = tokenizer->name();
  outcome.bytes = text.bytes;
  outcome.tokens = text.tokens->size();
  outcome.encoded = text.encoded;
  outcome.notes = text.notes;
  std::vector<int64_t> ids(static_cast<size_t>(std::min(job.shown, outcome.tokens)));
  text.tokens->read(0, ids);
  outcome.first = token_previews(ids, tokenizer.get());
  if (!job.out.empty()) write_npy_tokens(job.out, *text.tokens);
  return outcome;
}

}  // namespace farstate
