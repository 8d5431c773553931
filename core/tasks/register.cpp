// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/register.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "core/base/error.h"
#include "core/base/stop.h"
#include "core/data/register_events.h"
#include "core/tasks/token_count.h"

namespace farstate {
namespace {

// Appends the words of an event and says where they stand.
struct EventSpans {
  TextSpan whole, value;
};
EventSpans append(const RegisterEvent& event, std::string& text) {
  const auto begin = static_cast<int64_t>(text.size());
  text += register_keys()[event.key];
  const auto value = static_cast<int64_t>(text.size());
  text += register_values()[event.value];
  const auto end = static_cast<int64_t>(text.size());
  return {{begin, end}, {value, end}};
}

class Register : public Task {
 public:
  Register(const TaskConfig& config, std::shared_ptr<const Tokenizer> tokenizer)
      : tokenizer_(std::move(tokenizer)),
        keys_(config.keys),
        change_probability_(config.change_probability) {
    const auto most = static_cast<int64_t>(register_keys().size());
    if (keys_ < 1 || keys_ > most) {
      throw Error(ErrorKind::kBadUsage, fmt::format("The register has {} keys, and 1 to {} can be; "
                                                    "set keys to one of these.",
                                                    keys_, most));
    }
    if (!(change_probability_ >= 0 && change_probability_ < 1)) {
      throw Error(ErrorKind::kBadUsage,
                  fmt::format("The register's change probability is {}, and it must be from 0 to less "
                              "than 1, so that some values can be known.",
                              change_probability_));
    }
    traits_.name = "register";
    traits_.predicts = true;
    traits_.by_position = true;
    traits_.endless = true;
    if (tokenizer_ != nullptr) count_words();
  }

  const TaskTraits& traits() const override { return traits_; }

  std::vector<int64_t> lengths(int64_t context) const override {
    std::vector<int64_t> all;
    for (int64_t half = 1; half <= 128; half *= 2) {
      if (half * context / 2 >= shortest_) all.push_back(half * context / 2);
    }
    return all;
  }

  TaskSample sample(const SampleRequest& request, Rng& numbers) const override {
    constexpr int kTries = 10'000;  // a few events may well name different keys
    if (request.length >= shortest_) {
      for (int i = 0; i < kTries; ++i) {
        TaskSample sample = try_sample(request.length, numbers);
        if (!sample.answers.empty()) return sample;
      }
    }
    throw Error(ErrorKind::kBadUsage,
                fmt::format("A register of {} tokens holds no value that can be known: two events "
                            "take {}; choose a longer one.",
                            request.length, shortest_));
  }

  void endless_text(Rng& numbers,
                    const std::function<bool(const TaskSample&)>& take) const override {
    constexpr int64_t kPiece = 4096;  // events
    RegisterEvents events(keys_, change_probability_, numbers);
    TaskSample piece;
    do {
      throw_if_stopped();
      piece.text.clear();
      piece.answers.clear();
      for (int64_t i = 0; i < kPiece; ++i) {
        piece.answers.push_back(append(events.next(), piece.text).value);
      }
    } while (take(piece));
  }

  Marks mark(const TaskSample& sample, std::string_view continuation) const override {
    const TextSpan& answer = sample.answers.front();
    const std::string_view word = std::string_view(sample.text).substr(
        static_cast<size_t>(answer.begin), static_cast<size_t>(answer.end - answer.begin));
    const bool right = continuation.starts_with(word) &&
                       (continuation.size() == word.size() || continuation[word.size()] == ' ');
    return {right ? 1 : 0, 1};
  }

  bool ended(const TaskSample&, std::string_view continuation) const override {
    return continuation.find(' ', 1) != std::string_view::npos;
  }

  std::string every_word() const override {
    std::string text;
    for (const char* word : named()) text += word;
    for (const char* word : register_values()) text += word;
    return text;
  }

 private:
  std::span<const char* const> named() const {
    return register_keys().first(static_cast<size_t>(keys_));
  }

  void count_words() {
    const auto count = [&](std::span<const char* const> words, std::vector<int64_t>& tokens) {
      for (const char* word : words) {
        tokens.push_back(count_tokens(*tokenizer_, word));
        adds_up_ = adds_up_ && adds_up(*tokenizer_, word);
      }
      return *std::max_element(tokens.begin(), tokens.end());
    };
    shortest_ = 2 * (count(named(), key_tokens_) + count(register_values(), value_tokens_));
  }

  TaskSample try_sample(int64_t length, Rng& numbers) const {
    RegisterEvents events(keys_, change_probability_, numbers);
    std::vector<TextSpan> last(static_cast<size_t>(keys_));  // event of each key
    std::vector<int64_t> ends;
    TaskSample sample;
    for (int64_t tokens = 0;;) {
      if (sample.answers.size() % 4096 == 0) throw_if_stopped();
      const RegisterEvent event = events.next();
      tokens += key_tokens_[event.key] + value_tokens_[event.value];
      if (tokens > length) break;
      const EventSpans spans = append(event, sample.text);
      if (event.known) {
        sample.answers.push_back(spans.value);
        sample.evidence.push_back(last[event.key]);
      }
      last[event.key] = spans.whole;
      if (!adds_up_) ends.push_back(spans.whole.end);
    }
    if (!adds_up_) shorten(sample, std::move(ends), length);
    return sample;
  }

  // Takes events away, which end at `ends`, until the text has `length` tokens at most.
  void shorten(TaskSample& sample, std::vector<int64_t> ends, int64_t length) const {
    for (int64_t tokens; (tokens = count_tokens(*tokenizer_, sample.text)) > length;) {
      const auto kept = static_cast<double>(sample.text.size()) * static_cast<double>(length) /
                        static_cast<double>(tokens);
      while (!ends.empty() && static_cast<double>(ends.back()) > kept) ends.pop_back();
      sample.text.resize(ends.empty() ? 0 : static_cast<size_t>(ends.back()));
    }
    while (!sample.answers.empty() &&
           sample.answers.back().end > static_cast<int64_t>(sample.text.size())) {
      sample.answers.pop_back();
      sample.evidence.pop_back();
    }
  }

  TaskTraits traits_;
  std::shared_ptr<const Tokenizer> tokenizer_;
  int64_t keys_;
  double change_probability_;
  std::vector<int64_t> key_tokens_, value_tokens_;
  bool adds_up_ = true;  // the tokens of the words are those of the whole
  int64_t shortest_ = 0;
};

}  // namespace

std::unique_ptr<Task> make_register(const TaskConfig& config,
                                    std::shared_ptr<const Tokenizer> tokenizer) {
  return std::make_unique<Register>(config, std::move(tokenizer));
}

}  // namespace farstate
