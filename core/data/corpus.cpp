// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/corpus.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/base/stop.h"
#include "core/base/utf8.h"
#include "core/data/evidence.h"
#include "core/data/generated_text.h"
#include "core/data/npy.h"
#include "core/data/tokenised_text.h"
#include "core/tokenizer/byte_tokenizer.h"

namespace farstate {
namespace {

constexpr const char* kGeneratedName = "the generated text";

[[noreturn]] void fail(const std::string& why) { throw Error(ErrorKind::kBadInput, why); }

void check_utf8(std::string_view text, const std::string& path) {
  constexpr size_t kStopCheck = size_t{1} << 24;
  for (size_t begin = 0; begin < text.size();) {
    throw_if_stopped();
    const size_t stride_end = std::min(text.size(), begin + kStopCheck);
    for (begin = skip_ascii(text.substr(0, stride_end), begin); begin < stride_end;
         begin = skip_ascii(text.substr(0, stride_end), begin)) {
      const Utf8Unit unit = next_utf8(text, begin);
      if (!unit.valid) {
        fail(fmt::format("{} is not UTF-8 text: byte {:#04x} at offset {} starts no character; "
                         "convert it (iconv -t utf-8), or give token ids in a .npy file.",
                         path, static_cast<unsigned char>(text[begin]), begin));
      }
      begin += unit.length;
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

// The same for tokens: a document starts at a token that holds a line feed.
std::vector<int64_t> line_starts(const TokenSource& tokens, const Tokenizer& tokenizer,
                                 const std::string& name) {
  constexpr int64_t kBlock = int64_t{1} << 16;
  constexpr size_t kMostLines = size_t{1} << 27;  // a gigabyte of places
  std::vector<char> holds_line_feed(static_cast<size_t>(tokenizer.vocabulary()));
  for (size_t id = 0; id < holds_line_feed.size(); ++id) {
    holds_line_feed[id] =
        tokenizer.bytes(static_cast<int64_t>(id)).find('\n') != std::string_view::npos;
  }
  std::vector<int64_t> starts;
  std::vector<int64_t> block;
  for (int64_t begin = 0; begin + 1 < tokens.size(); begin += kBlock) {
    throw_if_stopped();
    block.resize(static_cast<size_t>(std::min(kBlock, tokens.size() - 1 - begin)));
    tokens.read(begin, block);
    for (size_t i = 0; i < block.size(); ++i) {
      if (holds_line_feed[static_cast<size_t>(block[i])] != 0) {
        starts.push_back(begin + static_cast<int64_t>(i));
      }
    }
    if (starts.size() > kMostLines) {
      fail(fmt::format("{} has more than {} lines, too many to begin at each; use --windows anywhere.",
                       name, kMostLines));
    }
  }
  return starts;
}

Corpus load_bytes(const DataConfig& config, bool documents) {
  Corpus corpus;
  std::shared_ptr<ByteTokens> text;
  if (config.path.empty()) {
    corpus.name = kGeneratedName;
    GeneratedText generated = generate_text(config.generated);
    corpus.evidence =
        evidence_of(generated, ByteTokens(generated.text), *byte_tokenizer());
    text = std::make_shared<ByteTokens>(std::move(generated.text));
  } else {
    corpus.name = config.path;
    text = std::make_shared<ByteTokens>(std::make_shared<MappedFile>(config.path));
    if (text->size() == 0) fail(fmt::format("{} is empty; choose a text with some content.", config.path));
    check_utf8(text->bytes(), config.path);
  }
  if (documents) corpus.document_starts = line_starts(text->bytes());
  corpus.tokens = std::move(text);
  return corpus;
}

Corpus load_tokenised(const DataConfig& config, const std::shared_ptr<const Tokenizer>& tokenizer,
                      bool documents, const ProgressSink& progress) {
  Corpus corpus;
  TokenisedText text;
  if (config.path.empty()) {
    corpus.name = kGeneratedName;
    const GeneratedText generated = generate_text(config.generated);
    text = tokenise_text(generated.text, tokenizer, progress);
    corpus.evidence = evidence_of(generated, *text.tokens, *tokenizer);
  } else {
    corpus.name = config.path;
    text = tokenise_file(config.path, tokenizer, progress);
  }
  if (documents) {
    corpus.document_starts = line_starts(*text.tokens, *tokenizer, corpus.name);
    if (corpus.document_starts.empty() && config.windows == "auto") {
      text.notes.push_back(fmt::format(
          "No token of {} is a line feed, so windows and sequences begin anywhere in it.",
          corpus.name));
    } else if (corpus.document_starts.empty()) {
      fail(fmt::format("{} is one line, so no document starts in it; use --windows anywhere.",
                       corpus.name));
    }
  }
  corpus.tokens = std::move(text.tokens);
  corpus.notes = std::move(text.notes);
  return corpus;
}

Corpus load_text(const DataConfig& config, int64_t vocabulary,
                 const std::shared_ptr<const Tokenizer>& tokenizer, const ProgressSink& progress) {
  // What the file is like is said before what the model lacks.
  if (!config.path.empty()) const MappedFile readable(config.path);
  check_tokenizer(tokenizer.get(), vocabulary, config.path.empty() ? kGeneratedName : config.path);
  const bool documents = config.windows == "document-start" ||
                         (config.windows == "auto" && config.path.empty());
  return tokenizer == byte_tokenizer() ? load_bytes(config, documents)
                                       : load_tokenised(config, tokenizer, documents, progress);
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

void check_tokenizer(const Tokenizer* tokenizer, int64_t vocabulary, const std::string& what) {
  if (tokenizer == nullptr) {
    fail(fmt::format("{} can't be read for this model: its vocabulary of {} needs the tokenizer that "
                     "it was trained with, and none was found beside it; put its tokenizer.json "
                     "there or name it with --tokenizer, or give token ids with --tokens.",
                     what, vocabulary));
  }
  if (tokenizer->vocabulary() <= vocabulary) return;
  fail(fmt::format("The tokenizer {} has ids up to {}, and the model's vocabulary is {}: it belongs "
                   "to another model; give this model's with --tokenizer.",
                   tokenizer->name(), tokenizer->vocabulary() - 1, vocabulary));
}

Corpus load_corpus(const DataConfig& config, int64_t vocabulary,
                   const std::shared_ptr<const Tokenizer>& tokenizer,
                   const ProgressSink& progress) {
  Corpus corpus = config.tokens.empty() ? load_text(config, vocabulary, tokenizer, progress)
                                        : load_ids(config, vocabulary);
  hold_out(corpus, config.held_out);
  return corpus;
}

void hold_out(Corpus& corpus, double share) {
  const auto size = static_cast<double>(corpus.tokens->size());
  corpus.train_end = snap(corpus, static_cast<int64_t>(size * (1.0 - share)));
}

void check_window(const Corpus& corpus, int64_t context) {
  if (corpus.train_end > context) return;
  fail(fmt::format("The context of {} tokens is longer than the training part of {} allows: it has "
                   "{} tokens, and {} are wanted; choose a shorter context or a longer text.",
                   context, corpus.name, corpus.train_end, context + 1));
}

namespace {

// Row `row` of a batch: the window at `begin`.
void read_window(const Corpus& corpus, int64_t begin, int64_t row, int64_t context,
                 std::span<int64_t> out, std::span<uint8_t> counted) {
  const auto width = static_cast<size_t>(context + 1);
  corpus.tokens->read(begin, out.subspan(static_cast<size_t>(row) * width, width));
  if (counted.empty()) return;
  const std::span<uint8_t> marks =
      counted.subspan(static_cast<size_t>(row * context), static_cast<size_t>(context));
  if (corpus.counted.empty()) {
    std::ranges::fill(marks, uint8_t{1});
  } else {
    std::copy_n(corpus.counted.begin() + begin + 1, context, marks.begin());
  }
}

}  // namespace

void draw_windows(const Corpus& corpus, uint64_t seed, int64_t step, int64_t batch,
                  int64_t context, std::span<int64_t> out, std::span<uint8_t> counted,
                  RngStream stream) {
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
  Rng rng(seed, stream, static_cast<uint64_t>(step));
  for (int64_t row = 0; row < batch; ++row) {
    const int64_t begin = starts.empty() ? rng.below(last_start + 1)
                                         : starts[static_cast<size_t>(rng.below(usable))];
    read_window(corpus, begin, row, context, out, counted);
  }
}

void draw_lanes(const Corpus& corpus, int64_t step, int64_t batch, int64_t context,
                std::span<int64_t> out, std::span<uint8_t> restarts, std::span<uint8_t> counted) {
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
    read_window(corpus, begin, row, context, out, counted);
  }
}

void Sequences::read(int64_t s, int64_t begin, std::span<int64_t> out) const {
  tokens->read(begins[static_cast<size_t>(s)] + begin, out);
}

void Sequences::predictable(int64_t s, int64_t begin, std::span<uint8_t> out) const {
  const int32_t* back = evidence->data() + begins[static_cast<size_t>(s)] + begin;
  for (size_t i = 0; i < out.size(); ++i) {
    out[i] = back[i] > 0 && back[i] <= begin + static_cast<int64_t>(i) ? 1 : 0;
  }
}

Sequences measure_sequences(const Corpus& corpus, int64_t count, int64_t length,
                            const std::string& part) {
  const int64_t size = corpus.tokens->size();
  const int64_t row_length = corpus.rows > 0 ? size / corpus.rows : size;
  Sequences result;
  result.notes = corpus.notes;
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
  result.evidence = corpus.evidence;
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
