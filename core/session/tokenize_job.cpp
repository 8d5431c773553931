// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/checkpoint/model_files.h"
#include "core/data/corpus.h"
#include "core/data/generated_text.h"
#include "core/data/npy.h"
#include "core/data/piecewise_encoding.h"
#include "core/data/tokenised_text.h"
#include "core/session/jobs.h"
#include "core/session/token_previews.h"
#include "core/tokenizer/load_tokenizer.h"
#include "core/tokenizer/word_vocabulary.h"

namespace farstate {

namespace {

std::string generated(const TokenizeJob& job) {
  return generate_text(job.data.generated.empty() ? text_of(job.model) : job.data.generated).text;
}

}  // namespace

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
                                 ? tokenise_text(generated(job), tokenizer, progress)
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

MadeTokenizer make_tokenizer(const MakeTokenizerJob& job, const ProgressSink& progress) {
  if (progress) progress("reading the text", -1);
  std::optional<MappedFile> file;
  std::string generated;
  if (job.data.empty()) {
    generated = generate_text(job.generated).text;
  } else {
    file.emplace(job.data);
  }
  const std::string_view text = file ? file->bytes() : std::string_view(generated);
  WordVocabulary vocabulary = vocabulary_of_text(text, job.characters, job.vocabulary);
  MadeTokenizer made;
  made.closed = !file && job.vocabulary == 0;
  if (made.closed) vocabulary.unknown.clear();
  made.path = (std::filesystem::path(job.out) / kTokenizerFile).string();
  const auto tokenizer = parse_tokenizer(to_tokenizer_json(vocabulary), made.path);
  if (file) check_text(*file, *tokenizer);
  save_tokenizer(job.out, vocabulary);
  made.vocabulary = tokenizer->vocabulary();
  made.bytes = static_cast<int64_t>(text.size());
  encode_pieces(text, 0, *tokenizer, [&](const EncodedPiece& piece) {
    made.tokens += static_cast<int64_t>(piece.ids.size());
    made.unknown += std::count(piece.ids.begin(), piece.ids.end(), tokenizer->unknown());
  });
  return made;
}

}  // namespace farstate
