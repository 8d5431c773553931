// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/passkey.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "tests/support/refusal.h"
#include "tests/support/task_samples.h"
#include "tests/support/temp_folder.h"

namespace farstate {
namespace {

using ::testing::HasSubstr;
using testing::ids_of;
using testing::sample_of;
using testing::some_tokenizers;
using testing::TempFolder;
using testing::text_at;

// The sentences before and after the key's line, by counting full stops.
struct Sentences {
  int64_t before = 0, after = 0;
};
Sentences sentences_around_key(const TaskSample& sample) {
  const auto stops = [&](int64_t begin, int64_t end) {
    return std::count(sample.text.begin() + begin, sample.text.begin() + end, '.');
  };
  return {stops(0, sample.evidence[0].begin) - 1,  // the task's line
          stops(sample.evidence[0].end, static_cast<int64_t>(sample.text.size()))};
}

TEST(Passkey, TheAnswerStandsTwiceInItsEvidenceAndAtTheEnd) {
  for (const auto& tokenizer : some_tokenizers()) {
    const auto task = make_passkey({}, tokenizer);
    for (uint64_t number = 0; number < 50; ++number) {
      const TaskSample sample = sample_of(*task, 300 + static_cast<int64_t>(number) * 7, 1, number);
      ASSERT_EQ(sample.answers.size(), 1U);
      ASSERT_EQ(sample.evidence.size(), 1U);
      ASSERT_EQ(sample.target.size(), 5U);
      EXPECT_EQ(text_at(sample, sample.answers[0]), " " + sample.target);
      EXPECT_EQ(sample.text.substr(static_cast<size_t>(sample.answers[0].end)), "\n");
      EXPECT_EQ(text_at(sample, sample.evidence[0]), " The pass key is " + sample.target +
                                                         ". Remember: " + sample.target +
                                                         " is the pass key.");
      int64_t digits = std::count_if(sample.text.begin(), sample.text.end(),
                                     [](char c) { return c >= '0' && c <= '9'; });
      EXPECT_EQ(digits, 15) << "and nowhere else";
    }
  }
}

TEST(Passkey, SamplesFollowFromSeedAndNumber) {
  const auto task = make_passkey({}, byte_tokenizer());
  const auto again = make_passkey({}, byte_tokenizer());
  EXPECT_EQ(sample_of(*task, 700, 3, 4).text, sample_of(*again, 700, 3, 4).text);
  EXPECT_NE(sample_of(*task, 700, 3, 4).text, sample_of(*task, 700, 3, 5).text);
  EXPECT_NE(sample_of(*task, 700, 3, 4).text, sample_of(*task, 700, 4, 4).text);
}

TEST(Passkey, LengthsAreMetWithinOneSentenceAndNeverPassed) {
  const TempFolder folder;
  TaskConfig uneven;
  uneven.source = folder.write("filler.txt", "Short. This one is a good deal longer!\nWhat? No end");
  for (const TaskConfig& config : {TaskConfig{}, uneven}) {
    for (const auto& tokenizer : some_tokenizers()) {
      const auto task = make_passkey(config, tokenizer);
      int64_t longest_sentence = 0;
      for (const char* sentence : {" The lake is still.", " The boat is slow.", " Short.", " No end",
                                   " This one is a good deal longer!"}) {
        longest_sentence = std::max<int64_t>(
            longest_sentence, static_cast<int64_t>(ids_of(*tokenizer, sentence).size()));
      }
      for (int64_t length = 200; length < 5000; length = length * 9 / 8 + 1) {
        const TaskSample sample = sample_of(*task, length, 1, static_cast<uint64_t>(length));
        const auto tokens = static_cast<int64_t>(ids_of(*tokenizer, sample.text).size());
        EXPECT_LE(tokens, length);
        EXPECT_GT(tokens, length - longest_sentence) << tokenizer->name() << " " << length;
      }
    }
  }
}

// Rounding takes half a sentence. Where the tokens of keys differ in number, up to 5 in each of three
// places, a text has one or two sentences more or less than the one by which the place is chosen.
TEST(Passkey, TheKeyStandsAtItsDepth) {
  for (const auto& tokenizer : some_tokenizers()) {
    const double tolerance = tokenizer == byte_tokenizer() ? 0.5 : 2.5;
    const auto task = make_passkey({}, tokenizer);
    for (const double depth : {0.0, 0.1, 0.5, 0.9, 1.0}) {
      for (const int64_t length : {300, 1000, 6000}) {
        for (uint64_t number = 0; number < 10; ++number) {
          const Sentences sentences =
              sentences_around_key(sample_of(*task, length, 1, number, depth));
          const auto all = static_cast<double>(sentences.before + sentences.after);
          EXPECT_NEAR(static_cast<double>(sentences.before), depth * all, tolerance)
              << tokenizer->name() << " " << depth << " " << length;
        }
      }
    }
  }
}

TEST(Passkey, DepthsAreDrawnFromTheWholeTextUnlessAsked) {
  const auto task = make_passkey({}, byte_tokenizer());
  std::array<int, 4> quarters{};
  for (uint64_t number = 0; number < 400; ++number) {
    const Sentences s = sentences_around_key(sample_of(*task, 4000, 1, number));
    ++quarters[static_cast<size_t>(4 * s.before / (s.before + s.after + 1))];
  }
  // Binomial (400, 1/4): mean 100, standard deviation 8.7; 5 of them.
  for (const int count : quarters) EXPECT_NEAR(count, 100, 44);
}

TEST(Passkey, PromptsOfOneLengthShareWhatStandsBeforeTheKey) {
  for (const auto& tokenizer : some_tokenizers()) {
    const auto task = make_passkey({}, tokenizer);
    const TaskSample first = sample_of(*task, 1500, 1, 0, 0.5);
    for (uint64_t number = 1; number < 60; ++number) {
      const TaskSample sample = sample_of(*task, 1500, 1, number, 0.5);
      ASSERT_EQ(sample.evidence[0].begin, first.evidence[0].begin);
      EXPECT_EQ(sample.text.substr(0, static_cast<size_t>(sample.evidence[0].begin)),
                first.text.substr(0, static_cast<size_t>(first.evidence[0].begin)));
    }
  }
}

// Chi-square over the ten digits of each place: 9 degrees of freedom, standard deviation sqrt(18).
// Wilson and Hilferty's cube root makes it nearly Gaussian: 9 (1 - 2/81 + 5 sqrt(2/81))^3 = 49.9 is
// passed once in 3.5 million.
TEST(Passkey, KeysAreUniform) {
  const auto task = make_passkey({}, byte_tokenizer());
  constexpr int kSamples = 2000;
  std::array<std::array<int, 10>, 5> counts{};
  for (int number = 0; number < kSamples; ++number) {
    const std::string key = sample_of(*task, 250, 1, static_cast<uint64_t>(number)).target;
    for (size_t place = 0; place < key.size(); ++place) {
      ++counts[place][static_cast<size_t>(key[place] - '0')];
    }
  }
  for (const auto& place : counts) {
    double chi_square = 0;
    for (const int count : place) {
      const double expected = kSamples / 10.0;
      chi_square += (count - expected) * (count - expected) / expected;
    }
    EXPECT_LT(chi_square, 49.9);
  }
}

TEST(Passkey, TheFirstDigitsAreMarked) {
  const auto task = make_passkey({}, byte_tokenizer());
  TaskSample sample;
  sample.target = "48213";
  const auto right = [&](const std::string& continuation) {
    const Marks marks = task->mark(sample, continuation);
    EXPECT_EQ(marks.total, 1);
    return marks.correct == 1;
  };
  for (const char* text : {" 48213", "48213", "48213.", " 48213\n", "it is 48213, yes",
                           " \"48213\"", "48213 or 48214", "48213."}) {
    EXPECT_TRUE(right(text)) << text;
  }
  for (const char* text : {"482134", "4821", "48 213", "", "the pass key", " 4 8213", "048213",
                           "48214, no: 48213", "84213", "48,213", "４８２１３"}) {
    EXPECT_FALSE(right(text)) << text;
  }
}

TEST(Passkey, ATextHasEndedWhenItsMarksCantChange) {
  const auto task = make_passkey({}, byte_tokenizer());
  TaskSample sample;
  sample.target = "48213";
  for (const char* text : {"", " ", " 4", " 48213", " it is", " it is 48213"}) {
    EXPECT_FALSE(task->ended(sample, text)) << text;
  }
  for (const char* text : {" 48213.", " 482131", " 48 ", "it is 1, "}) {
    EXPECT_TRUE(task->ended(sample, text)) << text;
    for (const char* more : {"48213", "3", " ", "."}) {
      EXPECT_EQ(task->mark(sample, text).correct, task->mark(sample, text + std::string(more)).correct);
    }
  }
}

TEST(Passkey, LengthsGoFromHalfTheContextToSixteenTimes) {
  const auto task = make_passkey({}, byte_tokenizer());
  EXPECT_EQ(task->lengths(2048), (std::vector<int64_t>{1024, 2048, 4096, 8192, 16384, 32768}));
  for (const int64_t length : task->lengths(64)) sample_of(*task, length, 1, 0);
}

TEST(Passkey, TooShortASampleIsRefusedForEveryKey) {
  for (const auto& tokenizer : some_tokenizers()) {
    const auto task = make_passkey({}, tokenizer);
    const auto refusal = testing::refusal([&] { sample_of(*task, 20, 1, 0); }, ErrorKind::kBadUsage);
    const int64_t shortest = std::stoll(refusal.substr(refusal.find("shortest has ") + 13));
    for (uint64_t number = 0; number < 300; ++number) {
      EXPECT_THAT(testing::refusal([&] { sample_of(*task, shortest - 1, 1, number); },
                                   ErrorKind::kBadUsage),
                  HasSubstr("shortest has"));
      const TaskSample sample = sample_of(*task, shortest, 1, number);
      EXPECT_LE(static_cast<int64_t>(ids_of(*tokenizer, sample.text).size()), shortest);
    }
  }
}

// Bytes, but for the number 00000, which is one token.
class OneNumber : public Tokenizer {
 public:
  const std::string& name() const override { return name_; }
  int64_t vocabulary() const override { return 257; }
  uint64_t fingerprint() const override { return 1; }
  void encode(std::string_view text, std::vector<int32_t>& ids) const override {
    for (size_t at = 0; at < text.size();) {
      const bool number = text.substr(at).starts_with("00000");
      ids.push_back(number ? 256 : static_cast<unsigned char>(text[at]));
      at += number ? 5 : 1;
    }
  }
  size_t last_cut(std::string_view text) const override { return text.size(); }
  std::string_view bytes(int64_t id) const override {
    return id == 256 ? "00000" : byte_tokenizer()->bytes(id);
  }

 private:
  std::string name_ = "one number";
};

TEST(Passkey, TheShortestSampleHoldsAnyKey) {
  const auto tokenizer = std::make_shared<OneNumber>();
  EXPECT_THAT(testing::refusal([&] { sample_of(*make_passkey({}, tokenizer), 20, 1, 0); },
                               ErrorKind::kBadUsage),
              ::testing::EndsWith(testing::refusal(
                  [&] { sample_of(*make_passkey({}, byte_tokenizer()), 20, 1, 0); },
                  ErrorKind::kBadUsage)));
}

TEST(Passkey, FillerFromAFileIsReadAsSentences) {
  const TempFolder folder;
  TaskConfig config;
  config.source = folder.write("f.txt", "One  here.\n\nTwo \xC3\xA9!  \"Three?\" Four\n");
  const auto task = make_passkey(config, byte_tokenizer());
  EXPECT_THAT(sample_of(*task, 400, 1, 0, 1.0).text,
              HasSubstr("text. One here. Two \xC3\xA9! \"Three?\" Four One here. Two"));
  EXPECT_THAT(task->every_word(), HasSubstr(" Two \xC3\xA9!"));
}

TEST(Passkey, FillerThatIsNoTextIsRefused) {
  const TempFolder folder;
  const auto refused = [&](const std::string& path) {
    TaskConfig config;
    config.source = path;
    return testing::refusal([&] { make_passkey(config, byte_tokenizer()); }, ErrorKind::kBadInput);
  };
  EXPECT_THAT(refused(folder.file("none.txt")), HasSubstr("none.txt"));
  EXPECT_THAT(refused(folder.write("blank.txt", " \n\n ")), HasSubstr("blank.txt has no words"));
  EXPECT_THAT(refused(folder.write("latin1.txt", "caf\xE9 au lait")), HasSubstr("0xe9 at offset 3"));
}

TEST(Passkey, EveryWordHoldsTheTokensOfEverySample) {
  const auto task = make_passkey({}, byte_tokenizer());
  const std::string words = task->every_word();
  const TaskSample sample = sample_of(*task, 600, 1, 0);
  for (size_t at = 0; at < sample.text.size();) {
    const size_t end = std::min(sample.text.find_first_of(" .?:\n0123456789", at + 1), sample.text.size());
    EXPECT_THAT(words, HasSubstr(sample.text.substr(at, end - at)));
    at = end;
  }
}

}  // namespace
}  // namespace farstate
