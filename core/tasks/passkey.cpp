// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/passkey.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/tasks/filler.h"
#include "core/tasks/token_count.h"

namespace farstate {
namespace {

constexpr int64_t kKeys = 100'000;
constexpr size_t kDigits = 5;
constexpr const char* kFirstKey = "00000";

constexpr const char* kTaskLine = "Find the pass key in this text.";
constexpr const char* kQuestion = " What is the pass key? The pass key is";
// Sentences of equally many words, so that every length is met equally well.
const std::vector<std::string> kSentences = {" The lake is still.", " The hill is low.",
                                             " The boat is slow.", " The wind is mild.",
                                             " The day is long."};

std::string key_line(const std::string& key) {
  return fmt::format(" The pass key is {}. Remember: {} is the pass key.", key, key);
}
std::string answer_to(const std::string& key) { return " " + key; }
std::string end_of(const std::string& key) { return kQuestion + answer_to(key) + "\n"; }

// The first run of digits in a text; empty if it has none.
struct DigitRun {
  size_t begin = 0, end = 0;
};
DigitRun first_digits(std::string_view text) {
  constexpr std::string_view kAll = "0123456789";
  const size_t begin = std::min(text.find_first_of(kAll), text.size());
  return {begin, std::min(text.find_first_not_of(kAll, begin), text.size())};
}

class Passkey : public Task {
 public:
  Passkey(const TaskConfig& config, std::shared_ptr<const Tokenizer> tokenizer)
      : tokenizer_(std::move(tokenizer)),
        filler_(config.source.empty() ? kSentences : read_sentences(config.source),
                tokenizer_.get()) {
    traits_.name = "passkey";
    traits_.depths = true;
    traits_.generates = true;
    if (tokenizer_ == nullptr) return;
    adds_up_ = filler_.adds_up() && adds_up(*tokenizer_, kTaskLine) &&
               adds_up(*tokenizer_, key_line(kFirstKey));
    fixed_tokens_ = fixed_tokens(kFirstKey);
    // A tokenizer may have words for some numbers, and bytes for others.
    const auto most = static_cast<int64_t>(answer_to(kFirstKey).size());
    shortest_ = fixed_tokens_ + 3 * (most - count_tokens(*tokenizer_, answer_to(kFirstKey)));
  }

  const TaskTraits& traits() const override { return traits_; }

  std::vector<int64_t> lengths(int64_t context) const override {
    std::vector<int64_t> all;
    for (int64_t half = 1; half <= 32; half *= 2) {
      if (half * context / 2 >= shortest_) all.push_back(half * context / 2);
    }
    return all;
  }

  TaskSample sample(const SampleRequest& request, Rng& numbers) const override {
    const std::string key = fmt::format("{:05}", numbers.below(kKeys));
    const double depth = request.depth < 0 ? numbers.uniform() : request.depth;
    if (request.length < shortest_) {
      throw Error(ErrorKind::kBadUsage,
                  fmt::format("A passkey sample of {} tokens is wanted, and the shortest has {}, "
                              "without any filler; choose a longer one.",
                              request.length, shortest_));
    }
    // The first key's length decides for all, so that all have the same sentences before them.
    const double before =
        std::round(depth * static_cast<double>(
                               filler_.most_sentences(request.length - fixed_tokens_)));
    int64_t sentences = filler_.most_sentences(request.length - fixed_tokens(key));
    if (!adds_up_) sentences = corrected(sentences, key, request.length);
    return compose(key, std::min(static_cast<int64_t>(before), sentences), sentences);
  }

  Marks mark(const TaskSample& sample, std::string_view continuation) const override {
    const DigitRun run = first_digits(continuation);
    return {continuation.substr(run.begin, run.end - run.begin) == sample.target ? 1 : 0, 1};
  }

  bool ended(const TaskSample&, std::string_view continuation) const override {
    const DigitRun run = first_digits(continuation);
    return run.end > run.begin && (run.end < continuation.size() || run.end - run.begin > kDigits);
  }

  // A model may say a few words before the key.
  int64_t most_tokens(int64_t answer_tokens) const override { return answer_tokens + 5; }

  std::string every_word() const override {
    return kTaskLine + filler_.every_word() + key_line("01234") + end_of("56789");
  }

 private:
  // Of all but the filler.
  int64_t fixed_tokens(const std::string& key) const {
    return count_tokens(*tokenizer_, kTaskLine) + count_tokens(*tokenizer_, key_line(key)) +
           count_tokens(*tokenizer_, end_of(key));
  }

  TaskSample compose(const std::string& key, int64_t before, int64_t sentences) const {
    TaskSample sample;
    const auto place = [&] { return static_cast<int64_t>(sample.text.size()); };
    sample.text = kTaskLine;
    filler_.append(0, before, sample.text);
    const int64_t line = place();
    sample.text += key_line(key);
    sample.evidence = {{line, place()}};
    filler_.append(before, sentences, sample.text);
    sample.text += end_of(key);
    const int64_t end = place() - 1;
    sample.answers = {{end - static_cast<int64_t>(answer_to(key).size()), end}};
    sample.target = key;
    return sample;
  }

  // Where the tokens of the sentences don't add up: from the estimate to what fits.
  int64_t corrected(int64_t sentences, const std::string& key, int64_t length) const {
    constexpr int kTries = 8;
    for (int i = 0; i < kTries; ++i) {
      const int64_t left = length - count_tokens(*tokenizer_, compose(key, 0, sentences).text);
      if (left >= 0 && left < filler_.tokens_of(sentences)) return sentences;
      const double change = std::floor(static_cast<double>(left) / filler_.mean_tokens());
      sentences = std::max<int64_t>(sentences + static_cast<int64_t>(change), 0);
    }
    while (sentences > 0 && count_tokens(*tokenizer_, compose(key, 0, sentences).text) > length) {
      --sentences;
    }
    return sentences;
  }

  TaskTraits traits_;
  std::shared_ptr<const Tokenizer> tokenizer_;
  Filler filler_;
  bool adds_up_ = true;       // the tokens of the pieces are those of the whole
  int64_t fixed_tokens_ = 0;  // with the first key
  int64_t shortest_ = 0;
};

}  // namespace

std::unique_ptr<Task> make_passkey(const TaskConfig& config,
                                   std::shared_ptr<const Tokenizer> tokenizer) {
  return std::make_unique<Passkey>(config, std::move(tokenizer));
}

}  // namespace farstate
