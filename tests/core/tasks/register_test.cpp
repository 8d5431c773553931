// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/register.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "tests/support/refusal.h"
#include "tests/support/task_samples.h"

namespace farstate {
namespace {

using ::testing::HasSubstr;
using testing::ids_of;
using testing::sample_of;
using testing::some_tokenizers;
using testing::text_at;

// Reads a register word by word: where each event and its value stand, and whether the value was
// what the key had before.
struct ReadEvent {
  std::string key, value;
  TextSpan whole, value_span;
  bool known = false;
  TextSpan before;  // the event that named the key last
};
std::vector<ReadEvent> read_register(const std::string& text) {
  std::vector<ReadEvent> events;
  std::map<std::string, ReadEvent> last;
  std::istringstream words(text);
  ReadEvent event;
  for (int64_t at = 0; words >> event.key >> event.value;) {
    const int64_t value = at + 1 + static_cast<int64_t>(event.key.size());
    const int64_t end = value + 1 + static_cast<int64_t>(event.value.size());
    event.whole = {at, end};
    event.value_span = {value, end};
    const auto found = last.find(event.key);
    event.known = found != last.end() && found->second.value == event.value;
    event.before = found != last.end() ? found->second.whole : TextSpan{};
    events.push_back(event);
    last[event.key] = event;
    at = end;
  }
  return events;
}

TEST(Register, TheAnswersAreTheKnownValuesThatHaveNotChanged) {
  for (const double change : {0.0, 0.05, 0.6}) {
    TaskConfig config;
    config.change_probability = change;
    config.keys = 12;
    for (const auto& tokenizer : some_tokenizers()) {
      const auto task = make_register(config, tokenizer);
      for (uint64_t number = 0; number < 20; ++number) {
        const TaskSample sample =
            sample_of(*task, 100 + 90 * static_cast<int64_t>(number), 5, number);
        std::vector<TextSpan> answers, evidence;
        for (const ReadEvent& event : read_register(sample.text)) {
          if (!event.known) continue;
          answers.push_back(event.value_span);
          evidence.push_back(event.before);
        }
        EXPECT_EQ(sample.answers, answers);
        EXPECT_EQ(sample.evidence, evidence);
      }
    }
  }
}

TEST(Register, LengthsAreMetWithinOneEventAndNeverPassed) {
  for (const auto& tokenizer : some_tokenizers()) {
    const auto task = make_register({}, tokenizer);
    const int64_t longest_event = 16;  // " bridge orange" as bytes is 14
    for (int64_t length = 100; length < 8000; length = length * 3 / 2 + 1) {
      const TaskSample sample = sample_of(*task, length, 1, 0);
      const auto tokens = static_cast<int64_t>(ids_of(*tokenizer, sample.text).size());
      EXPECT_LE(tokens, length);
      EXPECT_GT(tokens, length - longest_event) << tokenizer->name();
    }
  }
}

TEST(Register, SamplesFollowFromSeedAndNumber) {
  const auto task = make_register({}, byte_tokenizer());
  EXPECT_EQ(sample_of(*task, 400, 3, 4).text,
            sample_of(*make_register({}, byte_tokenizer()), 400, 3, 4).text);
  EXPECT_NE(sample_of(*task, 400, 3, 4).text, sample_of(*task, 400, 3, 5).text);
  EXPECT_NE(sample_of(*task, 400, 3, 4).text, sample_of(*task, 400, 4, 4).text);
}

TEST(Register, KeysAndChangesComeAsOftenAsTheyShould) {
  const auto task = make_register({}, byte_tokenizer());
  const auto events = read_register(sample_of(*task, 300'000, 1, 0).text);
  std::map<std::string, int> named;
  std::set<std::string> values;
  int again = 0, changed = 0;
  for (const ReadEvent& event : events) {
    ++named[event.key];
    values.insert(event.value);
    if (event.before == TextSpan{}) continue;
    ++again;
    changed += event.known ? 0 : 1;
  }
  EXPECT_EQ(named.size(), 32U);
  EXPECT_EQ(values.size(), 32U);
  const auto size = static_cast<double>(events.size());
  // Five standard deviations of a binomial count.
  const auto spread = [](double n, double p) { return 5 * std::sqrt(n * p * (1 - p)); };
  for (const auto& [key, count] : named) EXPECT_NEAR(count, size / 32, spread(size, 1.0 / 32)) << key;
  EXPECT_NEAR(changed, again * 0.05, spread(again, 0.05));
}

TEST(Register, TheEndlessTextGoesOnAndCountsEveryValue) {
  const auto task = make_register({}, byte_tokenizer());
  std::string text;
  size_t counted = 0;
  int pieces = 0;
  Rng numbers(1, RngStream::kTaskText);
  task->endless_text(numbers, [&](const TaskSample& piece) {
    const auto events = read_register(piece.text);
    EXPECT_EQ(events.size(), piece.answers.size());
    for (size_t i = 0; i < events.size(); ++i) EXPECT_EQ(events[i].value_span, piece.answers[i]);
    counted += piece.answers.size();
    text += piece.text;
    return ++pieces < 3;
  });
  EXPECT_EQ(pieces, 3);
  const auto events = read_register(text);
  ASSERT_EQ(events.size(), counted);
  // What the second and the third piece say first of a key is what the one before said last, but for
  // changes: of 64 such events binomially many (0.05), 5 standard deviations above the mean is 12.
  int changed = 0;
  for (size_t piece = 1; piece < 3; ++piece) {
    std::set<std::string> named;
    for (size_t i = piece * counted / 3; i < (piece + 1) * counted / 3; ++i) {
      if (named.insert(events[i].key).second && !events[i].known) ++changed;
    }
    EXPECT_EQ(named.size(), 32U);
  }
  EXPECT_LT(changed, 12);
}

TEST(Register, AllWordsAreDifferent) {
  TaskConfig config;
  config.keys = 64;
  std::istringstream words(make_register(config, byte_tokenizer())->every_word());
  std::set<std::string> seen;
  int count = 0;
  for (std::string word; words >> word; ++count) seen.insert(word);
  EXPECT_EQ(count, 96);
  EXPECT_EQ(seen.size(), 96U);
}

TEST(Register, OneAnswerIsMarkedAsAWord) {
  const auto task = make_register({}, byte_tokenizer());
  TaskSample sample;
  sample.text = " lamp red lamp red";
  sample.answers = {{14, 18}};
  for (const char* text : {" red", " red door"}) EXPECT_EQ(task->mark(sample, text).correct, 1) << text;
  for (const char* text : {"", " ", "red", " redder", " blue red", " r"}) {
    EXPECT_EQ(task->mark(sample, text).correct, 0) << text;
  }
  EXPECT_FALSE(task->ended(sample, " red"));
  EXPECT_TRUE(task->ended(sample, " red door"));
}

TEST(Register, WhatCantBeIsRefused) {
  const auto refused = [](int64_t keys, double change, int64_t length) {
    TaskConfig config;
    config.keys = keys;
    config.change_probability = change;
    return testing::refusal(
        [&] { sample_of(*make_register(config, byte_tokenizer()), length, 1, 0); },
        ErrorKind::kBadUsage);
  };
  EXPECT_THAT(refused(0, 0.05, 100), HasSubstr("0 keys"));
  EXPECT_THAT(refused(65, 0.05, 100), HasSubstr("65 keys"));
  EXPECT_THAT(refused(8, 1.0, 100), HasSubstr("change probability is 1"));
  EXPECT_THAT(refused(8, -0.1, 100), HasSubstr("change probability is -0.1"));
  EXPECT_THAT(refused(8, 0.05, 10), HasSubstr("10 tokens holds no value"));
  EXPECT_EQ(refused(64, 0.9, 40), "accepted") << "drawn again until a value is known";
}

}  // namespace
}  // namespace farstate
