// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/babilong.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/base/error.h"
#include "core/base/stop.h"
#include "core/tasks/babilong_files.h"
#include "core/tasks/babilong_prompt.h"
#include "core/tasks/babilong_rules.h"
#include "core/tasks/background_text.h"
#include "core/tasks/small_world.h"
#include "core/tasks/token_count.h"

namespace farstate {
namespace {

constexpr int64_t kLongestInContexts = 8;  // scored without being asked to, in units of T
constexpr int64_t kMostTokens = 20;        // that the benchmark lets a model go on with

void check_kinds(const std::vector<std::string>& kinds) {
  if (kinds.empty()) {
    throw Error(ErrorKind::kBadUsage, "BABILong needs at least one kind of question, such as qa1.");
  }
  std::set<std::string> seen;
  for (const std::string& kind : kinds) {
    if (babilong_labels(kind).empty()) {
      throw Error(ErrorKind::kBadUsage,
                  fmt::format("BABILong has no questions \"{}\" here; there are {}.", kind,
                              fmt::join(kBabilongKinds, ", ")));
    }
    if (!seen.insert(kind).second) {
      throw Error(ErrorKind::kBadUsage,
                  fmt::format("The questions {} are named twice; once is enough.", kind));
    }
  }
}

// Where the facts stand between the sentences: as shares of the gaps, so that they do not depend on
// how many sentences there turn out to be.
std::vector<double> places_of_facts(int64_t facts, double depth, Rng& numbers) {
  std::vector<double> places(static_cast<size_t>(facts), std::min(depth, 1.0));
  if (depth >= 0) return places;
  for (double& place : places) place = numbers.uniform();
  std::ranges::sort(places);
  return places;
}

class Babilong : public Task {
 public:
  Babilong(const TaskConfig& config, std::shared_ptr<const Tokenizer> tokenizer)
      : config_(config), tokenizer_(std::move(tokenizer)), background_(tokenizer_.get()) {
    check_kinds(config_.questions);
    traits_.name = "babilong";
    traits_.generates = true;
    traits_.kinds = config_.questions;
    for (const std::string& kind : config_.questions) {
      openings_[kind] = babilong_opening(kind, config_.shots);
    }
    if (!config_.source.empty()) {
      files_.emplace(config_.source, config_.questions);
    } else if (tokenizer_ != nullptr) {
      for (const std::string& kind : config_.questions) shortest_[kind] = measure_shortest(kind);
    }
  }

  const TaskTraits& traits() const override { return traits_; }
  std::vector<int64_t> lengths(int64_t context) const override;
  TaskSample sample(const SampleRequest& request, Rng& numbers) const override;

  Marks mark(const TaskSample& sample, std::string_view continuation) const override {
    return {babilong_right(sample.kind, sample.question, sample.target, continuation) ? 1 : 0, 1};
  }
  bool ended(const TaskSample&, std::string_view continuation) const override {
    return babilong_ended(continuation);
  }
  int64_t most_tokens(int64_t answer_tokens) const override {
    return std::max(kMostTokens, Task::most_tokens(answer_tokens));
  }
  std::string every_word() const override;

 private:
  using Sentences = std::vector<BackgroundText::Sentence>;

  int64_t tokens(const std::string& text) const { return count_tokens(*tokenizer_, text); }
  TaskSample put_question(const std::string& kind, const std::string& context,
                          const std::string& question, const std::string& answer) const;
  TaskSample hide(const std::string& kind, const Story& story, const Sentences& background,
                  const std::vector<double>& places) const;
  TaskSample generated(const std::string& kind, const SampleRequest& request, Rng& numbers) const;
  Sentences draw_background(int64_t tokens, Rng& numbers) const;
  int64_t measure_shortest(const std::string& kind) const;
  TaskSample from_file(const std::string& kind, int64_t length, Rng& numbers) const;
  TaskSample of_row(const std::string& kind, int64_t nominal, Rng& numbers) const;

  TaskConfig config_;
  std::shared_ptr<const Tokenizer> tokenizer_;
  TaskTraits traits_;
  BackgroundText background_;
  std::optional<BabilongFiles> files_;
  std::map<std::string, std::string> openings_;  // by kind
  std::map<std::string, int64_t> shortest_;      // sample of a kind, in tokens
};

std::vector<int64_t> Babilong::lengths(int64_t context) const {
  const int64_t longest = kLongestInContexts * context;
  if (files_) {
    std::vector<int64_t> all = files_->lengths();
    std::erase_if(all, [&](int64_t nominal) { return nominal > longest; });
    return all;
  }
  int64_t shortest = 1;
  for (const auto& [kind, least] : shortest_) shortest = std::max(shortest, least);
  std::vector<int64_t> all = {0};  // the benchmark's 0k: facts alone
  for (int64_t length = std::max<int64_t>(context / 2, 1); length <= longest; length *= 2) {
    if (length >= shortest) all.push_back(length);
  }
  return all;
}

TaskSample Babilong::sample(const SampleRequest& request, Rng& numbers) const {
  if (tokenizer_ == nullptr) {
    throw Error(ErrorKind::kInternal, "A sample of BABILong needs a tokenizer to count with.");
  }
  const std::string kind =
      !request.kind.empty()
          ? request.kind
          : config_.questions[static_cast<size_t>(numbers.below(std::ssize(config_.questions)))];
  if (!openings_.contains(kind)) {
    throw Error(ErrorKind::kBadUsage,
                fmt::format("The questions {} are none of those that are set: {}.", kind,
                            fmt::join(config_.questions, ", ")));
  }
  return files_ ? from_file(kind, request.length, numbers) : generated(kind, request, numbers);
}

TaskSample Babilong::put_question(const std::string& kind, const std::string& context,
                                  const std::string& question, const std::string& answer) const {
  TaskSample sample;
  sample.kind = kind;
  sample.question = question;
  sample.target = answer;
  sample.text = openings_.at(kind);
  sample.text.reserve(sample.text.size() + context.size() + 256);
  sample.text += kContextBegin;
  sample.text += context;
  sample.text += "\n</context>\n\n";
  sample.text += babilong_question(question);
  TextSpan span{std::ssize(sample.text), 0};
  sample.text += babilong_answer(answer);
  span.end = std::ssize(sample.text);
  sample.answers = {span};
  sample.text += ".\n";  // what comes next, the full stop, is where the benchmark stops to read
  return sample;
}

TaskSample Babilong::hide(const std::string& kind, const Story& story,
                          const Sentences& background, const std::vector<double>& places) const {
  std::string context;
  const int64_t begin = std::ssize(openings_.at(kind)) + std::ssize(kContextBegin);
  std::vector<TextSpan> facts;
  const auto append = [&](const std::string& sentence) {
    if (!context.empty()) context += ' ';
    context += sentence;
  };
  const auto gaps = static_cast<double>(background.size() + 1);
  size_t told = 0;
  for (size_t gap = 0; gap <= background.size(); ++gap) {
    const bool last = gap == background.size();
    while (told < story.facts.size() &&
           (last || places[told] * gaps < static_cast<double>(gap + 1))) {
      append(story.facts[told]);
      const int64_t end = begin + std::ssize(context);
      facts.push_back({end - std::ssize(story.facts[told]), end});
      ++told;
    }
    if (!last) append(background[gap].text);
  }
  TaskSample sample = put_question(kind, context, story.question, story.answer);
  for (const int64_t fact : story.supporting) {
    sample.evidence.push_back(facts[static_cast<size_t>(fact)]);
  }
  return sample;
}

Babilong::Sentences Babilong::draw_background(int64_t tokens, Rng& numbers) const {
  constexpr int64_t kMostMisses = 30;  // of sentences that are too long for what is left
  Sentences sentences;
  for (int64_t misses = 0; misses < kMostMisses;) {
    if (sentences.size() % 4096 == 0) throw_if_stopped();
    BackgroundText::Sentence sentence = background_.draw(numbers);
    if (sentence.tokens > tokens) {
      ++misses;
      continue;
    }
    tokens -= sentence.tokens;
    sentences.push_back(std::move(sentence));
  }
  return sentences;
}

TaskSample Babilong::generated(const std::string& kind, const SampleRequest& request,
                               Rng& numbers) const {
  const int64_t length = request.length;
  if (length != 0 && length < shortest_.at(kind)) {
    throw Error(ErrorKind::kBadUsage,
                fmt::format("A sample of {} with {} worked examples can take {} tokens of this "
                            "tokenizer, and {} were asked for; ask for {} or more, or for fewer "
                            "worked examples.",
                            kind, config_.shots, shortest_.at(kind), length, shortest_.at(kind)));
  }
  const FactRange range = facts_of(kind);
  for (int64_t most = range.most;;) {
    const int64_t facts = range.least + numbers.below(most - range.least + 1);
    const Story story = tell_story(kind, cast_of(kind), facts, numbers);
    const std::vector<double> places = places_of_facts(facts, request.depth, numbers);
    TaskSample sample = hide(kind, story, {}, places);
    if (length == 0) return sample;
    const int64_t bare = tokens(sample.text);
    if (bare > length) {
      most = std::max(range.least, facts - 1);
      continue;
    }
    Sentences background = draw_background(length - bare, numbers);
    while (true) {
      sample = hide(kind, story, background, places);
      int64_t excess = background.empty() ? 0 : tokens(sample.text) - length;
      if (excess <= 0) return sample;
      for (; excess > 0 && !background.empty(); background.pop_back()) {
        excess -= background.back().tokens;
      }
    }
  }
}

// The longest of many samples of the fewest facts: one that fits is soon drawn.
int64_t Babilong::measure_shortest(const std::string& kind) const {
  constexpr int64_t kDraws = 32;
  Rng numbers(0, RngStream::kTaskText);
  const int64_t facts = facts_of(kind).least;
  const std::vector<double> places(static_cast<size_t>(facts), 0.0);
  int64_t longest = 0;
  for (int64_t i = 0; i < kDraws; ++i) {
    const Story story = tell_story(kind, cast_of(kind), facts, numbers);
    longest = std::max(longest, tokens(hide(kind, story, {}, places).text));
  }
  return longest;
}

TaskSample Babilong::of_row(const std::string& kind, int64_t nominal, Rng& numbers) const {
  const auto rows = files_->rows(kind, nominal);
  const BabilongRow& row = (*rows)[static_cast<size_t>(numbers.below(std::ssize(*rows)))];
  return put_question(kind, row.input, row.question, row.target);
}

// A length that names a file is that file's, whatever its samples take. Of another it is the longest
// sample that a few draws find to be within it: a window of training has no more room.
TaskSample Babilong::from_file(const std::string& kind, int64_t length, Rng& numbers) const {
  constexpr int64_t kDraws = 8;
  if (const int64_t named = files_->named(kind, length); named >= 0) {
    return of_row(kind, named, numbers);
  }
  const std::vector<int64_t> lengths = files_->lengths(kind);
  for (auto nominal = lengths.rbegin(); nominal != lengths.rend(); ++nominal) {
    for (int64_t i = 0; i < kDraws && *nominal <= length; ++i) {
      TaskSample sample = of_row(kind, *nominal, numbers);
      if (tokens(sample.text) <= length) return sample;
    }
  }
  throw Error(ErrorKind::kBadUsage,
              fmt::format("No sample of {} within {} tokens was found in {}; its lengths are {}.",
                          kind, length, config_.source, fmt::join(lengths, ", ")));
}

std::string Babilong::every_word() const {
  std::string text = background_.every_word() + '\n';
  for (const char* kind : kBabilongKinds) {
    text += babilong_opening(kind, 1);
    text += every_word_of_stories(kind, cast_of_examples());
    const int64_t facts = facts_of(kind).least;
    Rng numbers(0, RngStream::kTaskText);
    const Story story = tell_story(kind, cast_of(kind), facts, numbers);
    text += fmt::format("{}{}\n</context>\n\n{}{}.\n", kContextBegin, fmt::join(story.facts, " "),
                        babilong_question(story.question), babilong_answer(story.answer));
    text += every_word_of_stories(kind, cast_of(kind));
  }
  return text;
}

}  // namespace

std::unique_ptr<Task> make_babilong(const TaskConfig& config,
                                    std::shared_ptr<const Tokenizer> tokenizer) {
  return std::make_unique<Babilong>(config, std::move(tokenizer));
}

}  // namespace farstate
