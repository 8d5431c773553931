// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/register_events.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace farstate {
namespace {

struct Word {
  int64_t begin;
  std::string text;
};

std::vector<Word> words_of(const std::string& text) {
  std::vector<Word> words;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin + 1), text.size());
    words.push_back({static_cast<int64_t>(begin), text.substr(begin, end - begin)});
    begin = end;
  }
  return words;
}

// The shipped model was trained on exactly these bytes: a change here asks for a new one.
TEST(RegisterText, IsTheSameTextOnEveryMachine) {
  const std::string text = register_text(7, 1 << 20).text;
  uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  EXPECT_EQ(hash, 0x86e6ffacfcedf5beULL);
}

TEST(RegisterText, ShorterIsAPrefixOfLonger) {
  const GeneratedText longer = register_text(3, 50'000);
  const GeneratedText shorter = register_text(3, 20'000);
  EXPECT_EQ(shorter.text, longer.text.substr(0, shorter.text.size()));
  EXPECT_LE(longer.text.size(), 50'000u);
  ASSERT_LT(shorter.known.size(), longer.known.size());
  EXPECT_EQ(shorter.known.back().end, longer.known[shorter.known.size() - 1].end);
  EXPECT_EQ(register_text(3, 5).text, "");
}

// What is marked as known is the value of a key that was named before, at the place that is given,
// and has not changed since; all such values are marked.
TEST(RegisterText, KnownAreTheValuesThatHaveNotJustChanged) {
  const GeneratedText made = register_text(7, 1'000'000);
  const std::vector<Word> words = words_of(made.text);
  std::map<std::string, std::pair<std::string, int64_t>> last;  // of a key: value and place
  auto known = made.known.begin();
  int64_t named_before = 0;
  for (size_t i = 0; i + 1 < words.size(); i += 2) {
    const Word& key = words[i];
    const Word& value = words[i + 1];
    const auto before = last.find(key.text);
    named_before += before != last.end() ? 1 : 0;
    if (before != last.end() && before->second.first == value.text) {
      ASSERT_NE(known, made.known.end());
      ASSERT_EQ(known->begin, value.begin);
      ASSERT_EQ(known->end, value.begin + std::ssize(value.text));
      ASSERT_EQ(known->evidence, before->second.second);
      ++known;
    }
    last[key.text] = {value.text, key.begin};
  }
  EXPECT_EQ(known, made.known.end());
  EXPECT_EQ(last.size(), 32u);
  // 0.05 of the values change; 5 standard deviations of a share of 95,000 events are 0.0035.
  const double share = static_cast<double>(made.known.size()) / static_cast<double>(named_before);
  EXPECT_NEAR(share, 0.95, 0.0035);
}

}  // namespace
}  // namespace farstate
