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
  EXPECT_EQ(text.substr(0, 32), ">aOaOaOaOaObGbGbGaOaObGaOcBcBaOd");
  uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  EXPECT_EQ(hash, 0x5dbbe9a5971a7ab0ULL);
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

TEST(DemoText, LinesAreAMarkAndPairsOfNameAndValueInTheAllowedLengths) {
  const std::string text = demo_text(7, 1000000);
  ASSERT_FALSE(text.empty());
  ASSERT_EQ(text.back(), '\n');
  for (const std::string_view line : lines_of(text)) {
    const auto length = static_cast<int64_t>(line.size());
    ASSERT_GE(length, kDemoLineMin) << line;
    ASSERT_LE(length, kDemoLineMax) << line;
    ASSERT_EQ(length % 2, 1) << line;
    ASSERT_EQ(line[0], '>') << line;
    for (size_t i = 1; i < line.size(); i += 2) {
      ASSERT_TRUE(line[i] >= 'a' && line[i] <= 'z') << line;
      ASSERT_TRUE(line[i + 1] >= 'A' && line[i + 1] <= 'Z') << line;
    }
  }
}

TEST(DemoText, ANameKeepsItsValueInItsLine) {
  const std::string text = demo_text(7, 1000000);
  for (const std::string_view line : lines_of(text)) {
    std::map<char, char> value_of;
    for (size_t i = 1; i < line.size(); i += 2) {
      ASSERT_EQ(value_of.emplace(line[i], line[i + 1]).first->second, line[i + 1]) << line;
    }
  }
}

TEST(DemoText, NamesComeInOrderAndOnlyTheEightNewestFactsAreRepeated) {
  const std::string text = demo_text(7, 1000000);
  for (const std::string_view line : lines_of(text)) {
    int known = 0;
    for (size_t i = 1; i < line.size(); i += 2) {
      const int name = line[i] - 'a';
      ASSERT_LE(name, known) << line;
      ASSERT_GE(name, known - 8) << line;
      known = std::max(known, name + 1);
    }
  }
}

// A reader that knows the law of the text and forgets nothing: how surprised it is, in nats, by
// every byte of one line and the newline after it.
std::vector<double> surprise(std::string_view line) {
  const double new_fact[] = {1.00, 0.50, 0.40, 0.30, 0.25, 0.22, 0.19, 0.17, 0.15};
  const double end = 0.25;
  std::vector<double> nats = {0};  // the mark
  std::set<char> known;
  for (size_t i = 1; i < line.size(); i += 2) {
    const auto k = static_cast<double>(known.size());
    const double p_new = k < 26 ? new_fact[std::min<size_t>(known.size(), 8)] : 0;
    const double p_goes_on = i >= kDemoLineMin ? 1 - end : 1;
    const bool is_new = known.insert(line[i]).second;
    nats.push_back(-std::log(p_goes_on * (is_new ? p_new : (1 - p_new) / std::min(k, 8.0))));
    nats.push_back(is_new ? std::log(26.0) : 0);
  }
  nats.push_back(line.size() < kDemoLineMax ? -std::log(end) : 0);
  return nats;
}

// What makes the demonstration honest: nothing in the text gets harder past the context.
TEST(DemoText, IsAsHardFarIntoTheStreamAsInTheSecondHalfOfAContext) {
  const std::string text = demo_text(7, 4000000);
  double half_nats = 0, half = 0, all_nats = 0, all = 0, lines = 0;
  for (const std::string_view line : lines_of(text)) {
    const std::vector<double> nats = surprise(line);
    for (size_t i = 0; i < nats.size(); ++i) {
      all_nats += nats[i];
      if (i < 32 || i >= kDemoLineMin) continue;
      half_nats += nats[i];
      half += 1;
    }
    all += static_cast<double>(nats.size());
    lines += 1;
  }
  EXPECT_NEAR(std::exp(half_nats / half), 3.59, 0.03);
  EXPECT_NEAR(std::exp(all_nats / all), 3.56, 0.03);
  EXPECT_NEAR(all / lines, 70, 0.2);  // bytes of a line with its newline
}

TEST(DemoText, ValuesAreUsedAlikeAndIndependentOfTheLineBefore) {
  const std::string text = demo_text(7, 4000000);
  std::map<char, int64_t> of_a;
  int64_t lines = 0;
  int64_t as_before = 0;
  char before = 0;
  for (const std::string_view line : lines_of(text)) {
    ++of_a[line[2]];
    ++lines;
    as_before += line[2] == before;
    before = line[2];
  }
  ASSERT_EQ(of_a.size(), 26u);
  const double expected = static_cast<double>(lines) / 26;
  const double slack = 5 * std::sqrt(expected);
  for (const auto& [value, count] : of_a) {
    EXPECT_NEAR(static_cast<double>(count), expected, slack) << value;
  }
  EXPECT_NEAR(static_cast<double>(as_before), expected, slack);
}

}  // namespace
}  // namespace farstate
