// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/task_tokens.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/stop.h"
#include "core/base/utf8.h"

namespace farstate {
namespace {

// The text that is trained on is the same for every run, so that runs can be compared; a run's own
// seed chooses what it reads from it.
constexpr uint64_t kTextSeed = 1;

std::string excerpt(std::string_view text) {
  constexpr size_t kShown = 16;
  std::string shown;
  append_valid_utf8(text.substr(0, kShown), shown);
  std::ranges::replace_if(shown, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return shown;
}

[[noreturn]] void refuse(const Tokenizer& tokenizer, std::string_view found, std::string_view wanted) {
  throw Error(ErrorKind::kBadInput,
              fmt::format("The tokenizer {} doesn't give the task's text back: it has \"{}\" where the "
                          "text goes on with \"{}\"; give one that has all words of the task.",
                          tokenizer.name(), excerpt(found), excerpt(wanted)));
}

// The tokens of the samples as they come, one behind the other.
class TextWriter {
 public:
  TextWriter(const TaskConfig& config, const Tokenizer& tokenizer)
      : all_(config.loss == "all"),
        tokenizer_(tokenizer),
        width_(PackedTokens::width_for(tokenizer.vocabulary())) {
    ids_.reserve(static_cast<size_t>(config.tokens * width_));
    if (!all_) counted_.reserve(static_cast<size_t>(config.tokens));
  }

  int64_t size() const { return static_cast<int64_t>(ids_.size()) / width_; }

  void begin_document() { starts_.push_back(size()); }

  // The token that follows the last answer counts too where `with_end`: a model that goes on with
  // the answer is to end it.
  void append(const TaskTokens& tokens, bool with_end) {
    for (const int32_t id : tokens.ids) {
      ids_.append(reinterpret_cast<const char*>(&id), static_cast<size_t>(width_));
    }
    if (all_) return;
    const size_t first = counted_.size();
    counted_.resize(first + tokens.ids.size(), 0);
    for (const TokenSpan& answer : tokens.answers) {
      std::fill(counted_.begin() + static_cast<int64_t>(first) + answer.begin,
                counted_.begin() + static_cast<int64_t>(first) + answer.end, 1);
    }
    const auto end = static_cast<size_t>(tokens.answers.back().end);
    if (with_end && end < tokens.ids.size()) counted_[first + end] = 1;
  }

  // Pieces of an endless text: documents start where answers have ended.
  void append_events(const TaskTokens& tokens) {
    int64_t begin = 0;
    for (const TokenSpan& answer : tokens.answers) {
      starts_.push_back(size() + begin);
      begin = answer.end;
    }
    append(tokens, false);
  }

  Corpus finish(std::string name) {
    Corpus corpus;
    corpus.name = std::move(name);
    corpus.tokens = std::make_shared<PackedTokens>(std::move(ids_), width_, tokenizer_.vocabulary());
    corpus.document_starts = std::move(starts_);
    corpus.counted = std::move(counted_);
    return corpus;
  }

 private:
  bool all_;
  const Tokenizer& tokenizer_;
  int width_;
  std::string ids_;
  std::vector<uint8_t> counted_;
  std::vector<int64_t> starts_;
};

struct LengthRange {
  int64_t shortest = 0, longest = 0;
};

LengthRange lengths_of(const Task& task, const TaskConfig& config, int64_t context) {
  const TaskTraits& traits = task.traits();
  LengthRange range;
  range.longest = config.longest > 0 ? config.longest
                  : traits.longest > 0 ? traits.longest : context + 1;
  range.shortest = config.shortest > 0 ? config.shortest
                   : traits.shortest > 0 ? traits.shortest : range.longest;
  if (range.shortest <= range.longest) return range;
  throw Error(ErrorKind::kBadUsage,
              fmt::format("The shortest samples of {} have {} {}, and the longest {}; choose a shorter "
                          "shortest, or a longer longest.",
                          traits.name, range.shortest, traits.unit, range.longest));
}

void check_window(const TaskTokens& tokens, const TaskTraits& traits, int64_t length,
                  int64_t context) {
  const auto count = static_cast<int64_t>(tokens.ids.size());
  if (count <= context + 1) return;
  throw Error(ErrorKind::kBadUsage,
              fmt::format("A sample of {} with {} {} has {} tokens, and a window of the context {} "
                          "holds {}; choose a longer context, or shorter samples.",
                          traits.name, length, traits.unit, count, context, context + 1));
}

}  // namespace

TaskTokens tokenise(const TaskSample& sample, const Tokenizer& tokenizer) {
  TaskTokens tokens;
  tokenizer.encode(sample.text, tokens.ids);
  tokens.answers.assign(sample.answers.size(), {-1, -1});
  const std::string_view text = sample.text;
  size_t at = 0;
  size_t open = 0;  // the first answer that has not ended
  for (size_t i = 0; i < tokens.ids.size(); ++i) {
    std::string_view bytes = tokenizer.bytes(tokens.ids[i]);
    // Some tokenizers put a space before a text.
    if (i == 0 && bytes.starts_with(' ') && !text.starts_with(' ')) bytes.remove_prefix(1);
    if (!text.substr(at).starts_with(bytes)) refuse(tokenizer, bytes, text.substr(at));
    at += bytes.size();
    while (open < tokens.answers.size() &&
           sample.answers[open].begin < static_cast<int64_t>(at)) {
      TokenSpan& answer = tokens.answers[open];
      if (answer.begin < 0) answer.begin = static_cast<int64_t>(i);
      answer.end = static_cast<int64_t>(i) + 1;
      if (sample.answers[open].end > static_cast<int64_t>(at)) break;
      ++open;
    }
  }
  if (at < text.size()) refuse(tokenizer, "", text.substr(at));
  return tokens;
}

std::vector<int32_t> prompt_tokens(const TaskSample& sample, const Tokenizer& tokenizer) {
  std::vector<int32_t> ids;
  tokenizer.encode(
      std::string_view(sample.text).substr(0, static_cast<size_t>(sample.answers.front().begin)), ids);
  return ids;
}

Corpus task_corpus(const Task& task, const std::shared_ptr<const Tokenizer>& tokenizer,
                   const TaskConfig& config, int64_t context, double held_out,
                   const ProgressSink& progress) {
  const TaskTraits& traits = task.traits();
  TextWriter writer(config, *tokenizer);
  constexpr int64_t kReport = int64_t{1} << 14;  // tokens
  int64_t next_report = 0;
  const auto goes_on = [&] {
    throw_if_stopped();
    if (progress && writer.size() >= next_report) {
      const double share = static_cast<double>(writer.size()) / static_cast<double>(config.tokens);
      progress("making the task's text", std::min(share, 1.0));
      next_report = writer.size() + kReport;
    }
    return writer.size() < config.tokens;
  };
  if (traits.endless) {
    Rng numbers(kTextSeed, RngStream::kTaskText);
    task.endless_text(numbers, [&](const TaskSample& piece) {
      writer.append_events(tokenise(piece, *tokenizer));
      return goes_on();
    });
  } else {
    const LengthRange range = lengths_of(task, config, context);
    for (uint64_t number = 0; goes_on(); ++number) {
      Rng numbers(kTextSeed, RngStream::kTaskText, number);
      SampleRequest request;
      request.length = range.shortest + numbers.below(range.longest - range.shortest + 1);
      const TaskTokens tokens = tokenise(task.sample(request, numbers), *tokenizer);
      check_window(tokens, traits, request.length, context);
      writer.begin_document();
      writer.append(tokens, true);
    }
  }
  Corpus corpus = writer.finish(fmt::format("the text of the task {}", traits.name));
  hold_out(corpus, held_out);
  return corpus;
}

}  // namespace farstate
