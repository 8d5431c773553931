// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/corpus.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/base/stop.h"
#include "core/data/demo_text.h"
#include "core/data/npy.h"
#include "core/tokenizer/byte_tokenizer.h"

namespace farstate {
namespace {

// The generated text is the same for every run, so that runs can be compared; a run's own seed
// chooses what it reads from it.
constexpr uint64_t kDemoTextSeed = 1;
constexpr int64_t kDemoTextBytes = int64_t{4} << 20;

[[noreturn]] void fail(const std::string& why) { throw Error(ErrorKind::kBadInput, why); }

void check_utf8(std::string_view text, const std::string& path) {
  constexpr size_t kStopCheck = size_t{1} << 24;
  size_t next_check = kStopCheck;
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  for (size_t i = 0; i < text.size();) {
    if (bytes[i] < 0x80) {  // utf8proc_iterate costs 20 times as much for the common case
      ++i;
    } else {
      utf8proc_int32_t code_point;
      const auto left = static_cast<utf8proc_ssize_t>(text.size() - i);
      const utf8proc_ssize_t used = utf8proc_iterate(bytes + i, left, &code_point);
      if (used <= 0) {
        fail(fmt::format("{} is not UTF-8 text: byte {:#04x} at offset {} starts no character; "
                         "convert it (iconv -t utf-8), or give token ids in a .npy file.",
                         path, bytes[i], i));
      }
      i += static_cast<size_t>(used);
    }
    if (i >= next_check) {
      throw_if_stopped();
      next_check = i + kStopCheck;
    }
  }
}

void check_ids(const std::vector<int64_t>& ids, int64_t vocabulary, const std::string& path) {
  const auto bad = std::find_if(ids.begin(), ids.end(),
                                [&](int64_t id) { return id < 0 || id >= vocabulary; });
  if (bad == ids.end()) return;
  fail(fmt::format("{}: token id {} at index {} is outside the model's vocabulary of {}; tokenise "
                   "the text with this model's tokenizer.",
                   path, *bad, bad - ids.begin(), vocabulary));
}

// A document is a line. It starts with the line feed before it, which a stream of lines shows
// between any two documents: so a window's first token is one that the text has there.
std::vector<int64_t> line_starts(std::string_view text) {
  std::vector<int64_t> starts;
  for (size_t i = text.find('\n'); i != std::string_view::npos; i = text.find('\n', i + 1)) {
    if (i + 1 < text.size()) starts.push_back(static_cast<int64_t>(i));
  }
  return starts;
}

// The last document start at or before `position`; `position` itself where documents don't count.
int64_t snap(const Corpus& corpus, int64_t position) {
  const std::vector<int64_t>& starts = corpus.document_starts;
  if (starts.empty()) return position;
  const auto after = std::upper_bound(starts.begin(), starts.end(), position);
  return after == starts.begin() ? starts.front() : *std::prev(after);
}

Corpus load_text(const DataConfig& config, int64_t vocabulary) {
  Corpus corpus;
  std::shared_ptr<ByteTokens> text;
  if (config.path.empty()) {
    corpus.name = "the generated text";
    text = std::make_shared<ByteTokens>(demo_text(kDemoTextSeed, kDemoTextBytes));
  } else {
    corpus.name = config.path;
    text = std::make_shared<ByteTokens>(std::make_shared<MappedFile>(config.path));
    if (text->size() == 0) fail(fmt::format("{} is empty; choose a text with some content.", config.path));
    check_utf8(text->bytes(), config.path);
  }
  if (vocabulary != kByteVocabulary) {
    fail(fmt::format("{} can't be read for this model: its vocabulary of {} needs its own tokenizer, "
                     "and this version reads texts as byte tokens only (a vocabulary of {}); give "
                     "token ids with --tokens.",
                     corpus.name, vocabulary, kByteVocabulary));
  }
  const bool documents = config.windows == "document-start" ||
                         (config.windows == "auto" && config.path.empty());
  if (documents) corpus.document_starts = line_starts(text->bytes());
  corpus.tokens = std::move(text);
  return corpus;
}

Corpus load_ids(const DataConfig& config, int64_t vocabulary) {
  NpyTokens ids = read_npy_tokens(config.tokens);
  check_ids(ids.ids, vocabulary, config.tokens);
  Corpus corpus;
  corpus.name = config.tokens;
  corpus.rows = ids.rows;
  corpus.is_text = false;
  if (config.windows == "document-start" && ids.rows == 0) {
    fail(fmt::format("{} is one flat array, which says nothing of where documents start; give an "
                     "array of shape [S,N], or use --windows anywhere.",
                     config.tokens));
  }
  if (config.windows != "anywhere") {
    for (int64_t row = 0; row < ids.rows; ++row) {
      corpus.document_starts.push_back(row * ids.columns);
    }
  }
  corpus.tokens = std::make_shared<IdTokens>(std::move(ids.ids));
  return corpus;
}

struct Range {
  int64_t begin;
  int64_t end;
  int64_t size() const { return end - begin; }
};

Range part_range(const Corpus& corpus, const std::string& part) {
  if (part == "held-out") return {corpus.train_end, corpus.tokens->size()};
  if (part == "train") return {0, corpus.train_end};
  return {0, corpus.tokens->size()};
}

}  // namespace

Corpus load_corpus(const DataConfig& config, int64_t vocabulary) {
  Corpus corpus =
      config.tokens.empty() ? load_text(config, vocabulary) : load_ids(config, vocabulary);
  const auto size = static_cast<double>(corpus.tokens->size());
  corpus.train_end = snap(corpus, static_cast<int64_t>(size * (1.0 - config.held_out)));
  return corpus;
}

void check_window(const Corpus& corpus, int64_t context) {
  if (corpus.train_end > context) return;
  fail(fmt::format("The context of {} tokens is longer than the training part of {} allows: it has "
                   "{} tokens, and {} are wanted; choose a shorter context or a longer text.",
                   context, corpus.name, corpus.train_end, context + 1));
}

void draw_windows(const Corpus& corpus, uint64_t seed, int64_t step, int64_t batch,
                  int64_t context, std::span<int64_t> out) {
  check_window(corpus, context);
  const int64_t last_start = corpus.train_end - context - 1;
  const std::vector<int64_t>& starts = corpus.document_starts;
  const auto usable =
      static_cast<int64_t>(std::upper_bound(starts.begin(), starts.end(), last_start) -
                           starts.begin());
  if (usable == 0 && !starts.empty()) {
    fail(fmt::format("No document of {} starts early enough for a window of {} tokens; choose a "
                     "shorter context, or --windows anywhere.",
                     corpus.name, context + 1));
  }
  Rng rng(seed, RngStream::kBatch, static_cast<uint64_t>(step));
  for (int64_t row = 0; row < batch; ++row) {
    const int64_t begin = starts.empty() ? rng.below(last_start + 1)
                                         : starts[static_cast<size_t>(rng.below(usable))];
    corpus.tokens->read(begin, out.subspan(static_cast<size_t>(row * (context + 1)),
                                           static_cast<size_t>(context + 1)));
  }
}

void draw_lanes(const Corpus& corpus, int64_t step, int64_t batch, int64_t context,
                std::span<int64_t> out, std::span<uint8_t> restarts) {
  check_window(corpus, context);
  const int64_t spacing = corpus.train_end / batch;
  for (int64_t row = 0; row < batch; ++row) {
    const int64_t first = snap(corpus, row * spacing);
    // Windows that fit from the row's own start, and from the start of the text after wrapping.
    const int64_t first_pass = std::max<int64_t>((corpus.train_end - 1 - first) / context, 0);
    const int64_t full_pass = (corpus.train_end - 1) / context;
    const bool wrapped = step >= first_pass;
    const int64_t index = wrapped ? (step - first_pass) % full_pass : step;
    const int64_t begin = (wrapped ? 0 : first) + index * context;
    restarts[static_cast<size_t>(row)] = index == 0 ? 1 : 0;
    corpus.tokens->read(begin, out.subspan(static_cast<size_t>(row * (context + 1)),
                                           static_cast<size_t>(context + 1)));
  }
}

void Sequences::read(int64_t s, int64_t begin, std::span<int64_t> out) const {
  tokens->read(begins[static_cast<size_t>(s)] + begin, out);
}

Sequences measure_sequences(const Corpus& corpus, int64_t count, int64_t length,
                            const std::string& part) {
  const int64_t size = corpus.tokens->size();
  const int64_t row_length = corpus.rows > 0 ? size / corpus.rows : size;
  Sequences result;
  result.length = length > 0 ? length : row_length;
  result.count = count > 0 ? count : std::max<int64_t>(corpus.rows, 1);
  result.part = part;
  if (part == "auto") {
    const bool enough = part_range(corpus, "held-out").size() >= result.length;
    result.part = corpus.is_text && enough ? "held-out" : "all";
    if (corpus.is_text && !enough && corpus.train_end < size) {
      result.notes.push_back(
          fmt::format("The held-out part of {} has {} tokens, fewer than one sequence of {}: "
                      "measured on the whole text, part of which training may have seen.",
                      corpus.name, size - corpus.train_end, result.length));
    }
  }
  const Range range = part_range(corpus, result.part);
  const std::string part_name =
      result.part == "all" ? "the text" : fmt::format("the {} part", result.part);
  if (range.size() < result.length || result.length < 2) {
    fail(fmt::format("{}: {} has {} tokens, and a sequence of {} is wanted; choose a shorter length "
                     "(2 or more) or a longer text.",
                     corpus.name, part_name, range.size(), result.length));
  }
  const int64_t first_row = (range.begin + row_length - 1) / row_length;
  const int64_t rows = range.end / row_length - first_row;
  if (corpus.rows > 0 && count <= 0) result.count = rows;
  if (corpus.rows > 0 && (result.length > row_length || result.count > rows)) {
    fail(fmt::format("{}: {} holds {} rows of {} ids, and {} sequences of {} are wanted; ask for "
                     "fewer or shorter ones.",
                     corpus.name, part_name, rows, row_length, result.count, result.length));
  }
  if (corpus.rows == 0 && result.count * result.length > range.size()) {
    result.notes.push_back(fmt::format("{} sequences of {} tokens overlap in {} tokens of text: the "
                                       "interval is narrower than independent text would give.",
                                       result.count, result.length, range.size()));
  }

  result.tokens = corpus.tokens;
  const int64_t room = range.size() - result.length;
  for (int64_t s = 0; s < result.count; ++s) {
    int64_t begin = range.begin;
    if (corpus.rows > 0) {
      begin = (first_row + s) * row_length;
    } else if (result.count > 1) {
      begin = std::max(range.begin, snap(corpus, range.begin + room * s / (result.count - 1)));
    }
    result.begins.push_back(begin);
  }
  return result;
}

}  // namespace farstate
