// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/demo_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace farstate {
namespace {

std::vector<std::string_view> lines_of(std::string&& text) = delete;  // the lines would dangle
std::vector<std::string_view> lines_of(const std::string& text) {
  std::vector<std::string_view> lines;
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t end = text.find('\n', begin);
    if (end == std::string::npos) {
      ADD_FAILURE() << "the text does not end with a newline";
      break;
    }
    lines.push_back(std::string_view(text).substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

TEST(DemoText, IsAFunctionOfTheSeed) {
  const std::string text = demo_text(7, 100000);
  EXPECT_EQ(text, demo_text(7, 100000));
  EXPECT_NE(text, demo_text(8, 100000));
}

// The demo checkpoint was trained on exactly these bytes: a change here asks for a new one.
TEST(DemoText, IsTheSameTextOnEveryMachine) {
  const std::string text = demo_text(7, 1 << 20);
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "jOjOjOjOjOhZjOxYjOxYjOdPnUcWdPxYdPcWjOdPjOnUnUfUeFnUzScWnUxYzScWxYcWeFlQeFfUlQkYkYlQnU"
            "eFdPuPeFuPeFtXuPkYtXrRrRzSrRuPfUlQfUkYuPkYaEuPkYrR");
  uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  EXPECT_EQ(hash, 0x5226a8ac647958d5ULL);
}

TEST(DemoText, ShorterIsAPrefixOfLonger) {
  const std::string longer = demo_text(3, 50000);
  const std::string shorter = demo_text(3, 20000);
  EXPECT_EQ(shorter, longer.substr(0, shorter.size()));
}

TEST(DemoText, HasTheSizeAskedUpToALine) {
  for (const int64_t bytes : {1000, 4096, 65537, 1000000}) {
    const auto size = static_cast<int64_t>(demo_text(5, bytes).size());
    EXPECT_LE(size, bytes);
    EXPECT_GT(size, bytes - kDemoLineMax - 1);
  }
}

TEST(DemoText, IsEmptyIfNoLineFits) {
  EXPECT_EQ(demo_text(7, -1), "");
  EXPECT_EQ(demo_text(7, 0), "");
  EXPECT_EQ(demo_text(7, kDemoLineMin), "");
}

TEST(DemoText, LinesArePairsOfNameAndValueInTheAllowedLengths) {
  const std::string text = demo_text(7, 1000000);
  ASSERT_FALSE(text.empty());
  ASSERT_EQ(text.back(), '\n');
  for (const std::string_view line : lines_of(text)) {
    const auto length = static_cast<int64_t>(line.size());
    ASSERT_GE(length, kDemoLineMin) << line;
    ASSERT_LE(length, kDemoLineMax) << line;
    ASSERT_EQ(length % 2, 0) << line;
    for (size_t i = 0; i < line.size(); i += 2) {
      ASSERT_TRUE(line[i] >= 'a' && line[i] <= 'z') << line;
      ASSERT_TRUE(line[i + 1] >= 'A' && line[i + 1] <= 'Z') << line;
    }
  }
}

TEST(DemoText, ANameKeepsItsValueInItsLineAndOnlyTheEightNewestFactsAreRepeated) {
  const std::string text = demo_text(7, 1000000);
  for (const std::string_view line : lines_of(text)) {
    std::map<char, char> value_of;
    std::string order;
    for (size_t i = 0; i < line.size(); i += 2) {
      const auto [it, is_new] = value_of.emplace(line[i], line[i + 1]);
      if (is_new) order += line[i];
      ASSERT_EQ(it->second, line[i + 1]) << line;
      ASSERT_LE(order.size() - order.find(line[i]), 8u) << line;
    }
  }
}

// The claim that the text gets no harder with position: the share of pairs that state a new fact
// is the same in the second half of a training context as anywhere in the stream.
TEST(DemoText, NewFactsComeAtAConstantRate) {
  const std::string text = demo_text(7, 4000000);
  double early_new = 0, early = 0, all_new = 0, all = 0, bytes = 0, lines = 0;
  for (const std::string_view line : lines_of(text)) {
    std::set<char> known;
    for (size_t i = 0; i < line.size(); i += 2) {
      const bool is_new = known.insert(line[i]).second;
      all_new += is_new;
      all += 1;
      if (i >= 32 && i < 62) {
        early_new += is_new;
        early += 1;
      }
    }
    bytes += static_cast<double>(line.size() + 1);
    lines += 1;
  }
  EXPECT_NEAR(early_new / early, 0.15, 0.002);
  EXPECT_NEAR(all_new / all, 0.166, 0.005);  // with the first pair of a line, which is always new
  EXPECT_NEAR(bytes / lines, 93, 0.5);
}

TEST(DemoText, EveryNameAndValueIsUsedAlike) {
  const std::string text = demo_text(7, 4000000);
  std::map<char, int64_t> first;
  int64_t lines = 0;
  for (const std::string_view line : lines_of(text)) {
    ++first[line[0]];
    ++first[line[1]];
    ++lines;
  }
  ASSERT_EQ(first.size(), 52u);
  const double expected = static_cast<double>(lines) / 26;
  for (const auto& [letter, count] : first) {
    EXPECT_NEAR(static_cast<double>(count), expected, 5 * std::sqrt(expected)) << letter;
  }
}

}  // namespace
}  // namespace farstate
