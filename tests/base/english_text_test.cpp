// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/english_text.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace farstate {
namespace {

// The stories as words, each mark of punctuation a word of its own.
std::vector<std::vector<std::string>> stories_of(const std::string& text) {
  std::vector<std::vector<std::string>> stories;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string>& story = stories.emplace_back();
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      const bool ends = word.back() == '.';
      if (ends) word.pop_back();
      story.push_back(word);
      if (ends) story.emplace_back(".");
    }
  }
  return stories;
}

const std::vector<std::vector<std::string>>& many_stories() {
  static const auto stories = stories_of(english_text(7, 1'000'000));
  return stories;
}

std::string joined(const std::vector<std::string>& story) {
  std::string text;
  for (const std::string& word : story) text += word + " ";
  return text;
}

// The shipped model was trained on exactly these bytes: a change here asks for a new one.
TEST(EnglishText, IsTheSameTextOnEveryMachine) {
  const std::string text = english_text(7, 1 << 20);
  uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  EXPECT_EQ(hash, 0xd92b4534b4d750c5ULL);
  EXPECT_NE(text, english_text(8, 1 << 20));
}

TEST(EnglishText, ShorterIsAPrefixOfLongerAndNoLongerThanAskedFor) {
  const std::string longer = english_text(3, 50'000);
  const std::string shorter = english_text(3, 20'000);
  EXPECT_EQ(shorter, longer.substr(0, shorter.size()));
  EXPECT_LE(longer.size(), 50'000u);
  EXPECT_EQ(longer.back(), '\n');
  EXPECT_EQ(english_text(3, 10), "");
}

// From the zero state a window of T + 1 = 65 tokens is to show one story alone.
TEST(EnglishText, AStoryFillsAContextAndLittleMore) {
  for (const auto& story : many_stories()) {
    ASSERT_GE(std::ssize(story), kStoryTokensMin) << joined(story);
    ASSERT_LE(std::ssize(story), 80) << joined(story);
  }
}

TEST(EnglishText, WhoIsWhatAndWhatIsHowHoldForAStory) {
  std::set<std::string> names, nouns;
  for (const auto& story : many_stories()) {
    std::map<std::string, std::string> trade_of, thing_of;
    for (size_t i = 0; i + 2 < story.size(); ++i) {
      // "a baker named Mara", "Mara the baker"
      if (story[i + 1] == "named") {
        ASSERT_TRUE(trade_of.emplace(story[i + 2], story[i]).second) << joined(story);
        names.insert(story[i + 2]);
      } else if (trade_of.contains(story[i]) && story[i + 1] == "the") {
        ASSERT_EQ(trade_of[story[i]], story[i + 2]) << joined(story);
      }
      // "found a red kettle", "the red kettle"
      const bool brings = story[i] == "found" || story[i] == "bought" || story[i] == "made";
      if (brings) {
        ASSERT_TRUE(thing_of.emplace(story[i + 2], story[i + 3]).second) << joined(story);
        nouns.insert(story[i + 3]);
      } else if (story[i] == "the" && thing_of.contains(story[i + 1])) {
        ASSERT_EQ(thing_of[story[i + 1]], story[i + 2]) << joined(story);
      }
    }
  }
  EXPECT_EQ(names.size(), 48u);
  EXPECT_EQ(nouns.size(), 48u);
}

// Follows the things from hand to hand.
TEST(EnglishText, OnlyWhoHasAThingGivesItAway) {
  int64_t given = 0;
  for (const auto& story : many_stories()) {
    std::map<std::string, std::string> holder_of;  // of a kind of thing, a name
    std::set<std::string> names;
    std::string subject;
    for (size_t i = 0; i + 3 < story.size(); ++i) {
      if (story[i + 1] == "named" && names.insert(story[i + 2]).second && names.size() == 1) {
        subject = story[i + 2];
      }
      const bool begins = i == 0 || story[i - 1] == ".";
      if (begins && names.contains(story[i])) subject = story[i];
      const std::string& verb = story[i];
      if (verb == "found" || verb == "bought" || verb == "made" || verb == "took") {
        holder_of[story[i + 2]] = subject;
      } else if (verb == "gave" || verb == "sold") {
        ASSERT_EQ(holder_of[story[i + 2]], subject) << joined(story);
        holder_of[story[i + 2]] = story[i + 5];
        ++given;
      } else if (verb == "left") {
        holder_of[story[i + 2]] = "";
      } else if (verb == "had") {
        ASSERT_EQ(holder_of[story[i + 2]], subject) << joined(story);
      }
    }
  }
  EXPECT_GT(given, 300);
}

}  // namespace
}  // namespace farstate
