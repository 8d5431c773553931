// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/copying.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "tests/support/refusal.h"
#include "tests/support/task_samples.h"

namespace farstate {
namespace {

using testing::sample_of;
using testing::text_at;

TEST(Copying, TheAnswersAreTheString) {
  const auto task = make_copying({});
  for (int64_t length = 1; length <= 300; length += 13) {
    for (uint64_t number = 0; number < 5; ++number) {
      const TaskSample sample = sample_of(*task, length, 2, number);
      ASSERT_EQ(static_cast<int64_t>(sample.answers.size()), length);
      ASSERT_EQ(sample.evidence.size(), 1U);
      std::string copy, letters;
      for (const TextSpan& answer : sample.answers) {
        EXPECT_EQ(answer.end - answer.begin, 2);
        copy += text_at(sample, answer);
        letters += copy.back();
      }
      EXPECT_EQ(copy, text_at(sample, sample.evidence[0]));
      EXPECT_EQ(sample.text, ">" + copy + "|" + copy + "\n");
      EXPECT_EQ(letters, sample.target);
    }
  }
}

TEST(Copying, SamplesFollowFromSeedAndNumber) {
  const auto task = make_copying({});
  EXPECT_EQ(sample_of(*task, 40, 3, 4).text, sample_of(*make_copying({}), 40, 3, 4).text);
  EXPECT_NE(sample_of(*task, 40, 3, 4).text, sample_of(*task, 40, 3, 5).text);
  EXPECT_NE(sample_of(*task, 40, 3, 4).text, sample_of(*task, 40, 4, 4).text);
}

// Chi-square with 25 degrees of freedom, by Wilson and Hilferty's cube root: 5 standard deviations
// are at 25 (1 - 2/225 + 5 sqrt(2/225))^3 = 78.
TEST(Copying, LettersAreUniform) {
  const std::string letters = sample_of(*make_copying({}), 20'000, 1, 0).target;
  std::array<int, 26> counts{};
  for (const char letter : letters) ++counts[static_cast<size_t>(letter - 'a')];
  double chi_square = 0;
  for (const int count : counts) {
    const double expected = 20'000 / 26.0;
    chi_square += (count - expected) * (count - expected) / expected;
  }
  EXPECT_LT(chi_square, 78);
}

TEST(Copying, LettersAreMarkedPlaceByPlace) {
  const auto task = make_copying({});
  TaskSample sample;
  sample.target = "aqx";
  struct Case {
    const char* continuation;
    int64_t correct, total;
  };
  for (const Case& c : std::vector<Case>{{" a q x\n", 3, 3},
                                         {" a q x", 3, 3},
                                         {" a q x\n a q x", 3, 3},
                                         {" a q", 2, 3},
                                         {" a q x x", 3, 4},
                                         {" q x", 0, 3},
                                         {" a a q x", 1, 4},
                                         {" x q a", 1, 3},
                                         {" aqx", 3, 3},
                                         {"", 0, 3},
                                         {"\n", 0, 3},
                                         {"| a q x", 0, 3},
                                         {" a. q x", 1, 3},
                                         {" A q x", 0, 3}}) {
    const Marks marks = task->mark(sample, c.continuation);
    EXPECT_EQ(marks.correct, c.correct) << c.continuation;
    EXPECT_EQ(marks.total, c.total) << c.continuation;
  }
}

TEST(Copying, ATextHasEndedWhenItsMarksCantChange) {
  const auto task = make_copying({});
  TaskSample sample;
  sample.target = "aqx";
  for (const char* text : {"", " ", " a q x", " a q x x"}) EXPECT_FALSE(task->ended(sample, text)) << text;
  for (const char* text : {"\n", " a q x\n", " a|", " a 1", " A"}) {
    EXPECT_TRUE(task->ended(sample, text)) << text;
    EXPECT_EQ(task->mark(sample, text).correct, task->mark(sample, std::string(text) + " q").correct);
    EXPECT_EQ(task->mark(sample, text).total, task->mark(sample, std::string(text) + " q q q q").total);
  }
}

TEST(Copying, ScoresFarBeyondTheLongestStringTrainedOn) {
  const auto task = make_copying({});
  EXPECT_EQ(task->traits().shortest, 5);
  EXPECT_EQ(task->traits().longest, 20);
  EXPECT_EQ(task->lengths(64), (std::vector<int64_t>{10, 20, 40, 64, 100, 200}));
  TaskConfig tiny;
  tiny.longest = 1;
  const auto lengths = make_copying(tiny)->lengths(64);
  EXPECT_TRUE(std::is_sorted(lengths.begin(), lengths.end(), std::less_equal<>()));
  EXPECT_EQ(make_copying(tiny)->traits().shortest, 1);
}

TEST(Copying, AnEmptyStringIsRefused) {
  const auto task = make_copying({});
  EXPECT_THAT(testing::refusal([&] { sample_of(*task, 0, 1, 0); }, ErrorKind::kBadUsage),
              ::testing::HasSubstr("shortest has 1"));
}

}  // namespace
}  // namespace farstate
