// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/background_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/tasks/babilong_rules.h"
#include "core/tasks/small_world.h"
#include "core/tokenizer/byte_tokenizer.h"
#include "tests/support/naive_reader.h"

namespace farstate {
namespace {

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

TEST(BackgroundText, HoldsNoWordOfTheStories) {
  const std::string text = lower_case(BackgroundText(nullptr).every_word());
  std::set<std::string> words;
  for (const std::string& word : testing::words_of(text)) words.insert(word);
  std::set<std::string> forbidden = {"north", "east", "south", "west"};
  for (const std::string kind : kBabilongKinds) {
    forbidden.insert(babilong_labels(kind).begin(), babilong_labels(kind).end());
    for (const Cast* cast : {&cast_of(kind), &cast_of_examples()}) {
      for (const auto* names : {&cast->people, &cast->rooms, &cast->objects}) {
        for (const std::string& name : *names) forbidden.insert(lower_case(name));
      }
    }
  }
  for (const std::string& word : forbidden) {
    EXPECT_FALSE(words.contains(word)) << word;
    // Nor as letters within a word, where they are enough to tell ("no" is in "noise").
    if (word.size() >= 4) {
      EXPECT_EQ(text.find(word), std::string::npos) << word;
    }
  }
}

TEST(BackgroundText, HardlyRepeatsItself) {
  const BackgroundText background(nullptr);
  Rng numbers(1, RngStream::kTaskScore);
  std::set<std::string> different;
  for (int i = 0; i < 10'000; ++i) different.insert(background.draw(numbers).text);
  EXPECT_GT(different.size(), 8000U);
}

TEST(BackgroundText, SentencesBeginWithACapitalAndEndWithAFullStop) {
  const BackgroundText background(byte_tokenizer().get());
  Rng numbers(2, RngStream::kTaskScore);
  for (int i = 0; i < 2000; ++i) {
    const BackgroundText::Sentence sentence = background.draw(numbers);
    EXPECT_THAT(sentence.text, ::testing::MatchesRegex("[A-Z][a-z, ]*[a-z]\\.")) << sentence.text;
    EXPECT_EQ(sentence.tokens, std::ssize(sentence.text) + 1) << "with a space before";
  }
}

TEST(BackgroundText, NobodyIsTogetherWithHimself) {
  const BackgroundText background(nullptr);
  Rng numbers(3, RngStream::kTaskScore);
  for (int i = 0; i < 5000; ++i) {
    const std::string text = lower_case(background.draw(numbers).text);
    const std::string first = text.substr(0, text.find(" and "));
    EXPECT_FALSE(text.starts_with(first + " and " + first)) << text;
  }
}

TEST(BackgroundText, NoWordIsMissingFromEveryWord) {
  const BackgroundText background(nullptr);
  std::set<std::string> known;
  for (const std::string& word : testing::words_of(background.every_word())) known.insert(word);
  Rng numbers(4, RngStream::kTaskScore);
  for (int i = 0; i < 20'000; ++i) {
    for (const std::string& word : testing::words_of(background.draw(numbers).text)) {
      ASSERT_TRUE(known.contains(word)) << word;
    }
  }
}

}  // namespace
}  // namespace farstate
