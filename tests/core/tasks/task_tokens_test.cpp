// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/task_tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/stop.h"
#include "tests/support/refusal.h"
#include "tests/support/task_samples.h"

namespace farstate {
namespace {

using ::testing::HasSubstr;
using testing::bytes_of;
using testing::ids_of;
using testing::sample_of;
using testing::some_tokenizers;
using testing::text_at;

TaskConfig config_of(const std::string& name) {
  TaskConfig config;
  config.name = name;
  config.tokens = 20'000;
  return config;
}

std::vector<int32_t> all_ids(const Corpus& corpus) {
  std::vector<int64_t> wide(static_cast<size_t>(corpus.tokens->size()));
  corpus.tokens->read(0, wide);
  return {wide.begin(), wide.end()};
}

TEST(TaskTokens, AnswersLieInTheTokensThatHoldThem) {
  for (const char* name : {"passkey", "copying", "register"}) {
    for (const auto& tokenizer : some_tokenizers()) {
      const auto task = make_task(config_of(name), tokenizer);
      for (uint64_t number = 0; number < 20; ++number) {
        const TaskSample sample =
            sample_of(*task, 250 + static_cast<int64_t>(number), 1, number);
        const TaskTokens tokens = tokenise(sample, *tokenizer);
        EXPECT_EQ(tokens.ids, ids_of(*tokenizer, sample.text));
        ASSERT_EQ(tokens.answers.size(), sample.answers.size());
        for (size_t i = 0; i < tokens.answers.size(); ++i) {
          const TokenSpan& span = tokens.answers[i];
          ASSERT_LT(span.begin, span.end);
          // All of these tokenizers begin a word with the space before it.
          EXPECT_EQ(bytes_of(*tokenizer, tokens.ids, span.begin, span.end),
                    text_at(sample, sample.answers[i]))
              << name << " " << tokenizer->name();
        }
      }
    }
  }
}

TEST(TaskTokens, ThePromptIsTheBeginningOfTheWhole) {
  for (const char* name : {"passkey", "copying", "register"}) {
    for (const auto& tokenizer : some_tokenizers()) {
      const auto task = make_task(config_of(name), tokenizer);
      const TaskSample sample = sample_of(*task, 250, 1, 0);
      const TaskTokens tokens = tokenise(sample, *tokenizer);
      const std::vector<int32_t> prompt = prompt_tokens(sample, *tokenizer);
      EXPECT_EQ(static_cast<int64_t>(prompt.size()), tokens.answers[0].begin);
      EXPECT_TRUE(std::equal(prompt.begin(), prompt.end(), tokens.ids.begin()));
    }
  }
}

// Tokens of four bytes, wherever words end.
class Quads : public Tokenizer {
 public:
  const std::string& name() const override { return name_; }
  int64_t vocabulary() const override { return static_cast<int64_t>(pieces_.size()); }
  uint64_t fingerprint() const override { return 1; }
  void encode(std::string_view text, std::vector<int32_t>& ids) const override {
    for (size_t at = 0; at < text.size(); at += 4) {
      const auto piece = std::find(pieces_.begin(), pieces_.end(), text.substr(at, 4));
      ids.push_back(static_cast<int32_t>(piece - pieces_.begin()));
      if (piece == pieces_.end()) pieces_.emplace_back(text.substr(at, 4));
    }
  }
  size_t last_cut(std::string_view) const override { return 0; }
  std::string_view bytes(int64_t id) const override { return pieces_[static_cast<size_t>(id)]; }

 private:
  std::string name_ = "quads";
  mutable std::vector<std::string> pieces_;
};

TEST(TaskTokens, ATokenMayHoldPartsOfSeveralAnswers) {
  TaskSample sample;
  sample.text = "abcdefghijkl";
  sample.answers = {{2, 3}, {3, 5}, {5, 6}, {8, 12}};
  const TaskTokens tokens = tokenise(sample, Quads());
  std::vector<std::pair<int64_t, int64_t>> spans;
  for (const TokenSpan& span : tokens.answers) spans.emplace_back(span.begin, span.end);
  EXPECT_EQ(spans, (std::vector<std::pair<int64_t, int64_t>>{{0, 1}, {0, 2}, {1, 2}, {2, 3}}));
}

// The first six bytes of a text are one token, all others are bytes: a text has more tokens than its
// pieces by themselves.
class FirstSix : public Tokenizer {
 public:
  const std::string& name() const override { return name_; }
  int64_t vocabulary() const override { return 300; }
  uint64_t fingerprint() const override { return 1; }
  void encode(std::string_view text, std::vector<int32_t>& ids) const override {
    ids.push_back(256);
    for (const char c : text.substr(std::min<size_t>(6, text.size()))) {
      ids.push_back(static_cast<unsigned char>(c));
    }
  }
  size_t last_cut(std::string_view) const override { return 0; }
  std::string_view bytes(int64_t id) const override { return byte_tokenizer()->bytes(id); }

 private:
  std::string name_ = "first six";
};

TEST(TaskTokens, LengthsHoldWhereTokensDontAddUp) {
  for (const auto& tokenizer :
       {std::shared_ptr<const Tokenizer>(new Quads), std::shared_ptr<const Tokenizer>(new FirstSix)}) {
    const auto passkey = make_task(config_of("passkey"), tokenizer);
    const auto reg = make_task(config_of("register"), tokenizer);
    for (int64_t length = 250; length < 4000; length = length * 5 / 4) {
      const auto tokens = [&](const Task& task) {
        const TaskSample sample = sample_of(task, length, 1, static_cast<uint64_t>(length));
        EXPECT_LE(sample.answers.back().end, static_cast<int64_t>(sample.text.size()));
        return static_cast<int64_t>(ids_of(*tokenizer, sample.text).size());
      };
      EXPECT_LE(tokens(*passkey), length);
      EXPECT_GT(tokens(*passkey), length - 19) << "a sentence is 18 bytes or fewer";
      EXPECT_LE(tokens(*reg), length);
    }
  }
}

TEST(TaskTokens, ATokenizerThatLosesTheTextIsRefused) {
  class Upper : public Quads {
    std::string_view bytes(int64_t) const override { return "LOST"; }
  };
  TaskSample sample;
  sample.text = "some text";
  sample.answers = {{4, 9}};
  EXPECT_THAT(testing::refusal([&] { tokenise(sample, Upper()); }),
              HasSubstr("quads doesn't give the task's text back: it has \"LOST\" where the text goes "
                        "on with \"some text\""));
  class Half : public FirstSix {
    void encode(std::string_view text, std::vector<int32_t>& ids) const override {
      byte_tokenizer()->encode(text.substr(0, text.size() / 2), ids);
    }
  };
  EXPECT_THAT(testing::refusal([&] { tokenise(sample, Half()); }),
              HasSubstr("it has \"\" where the text goes on with \" text\""));
}

// The samples of a text as they are read from its tokens.
void expect_samples(const std::string& name, const std::shared_ptr<const Tokenizer>& tokenizer,
                    int64_t context) {
  const TaskConfig config = config_of(name);
  const auto task = make_task(config, tokenizer);
  const Corpus corpus = task_corpus(*task, tokenizer, config, context, 0.1);
  const std::vector<int32_t> ids = all_ids(corpus);
  const auto size = static_cast<int64_t>(ids.size());
  ASSERT_EQ(corpus.counted.size(), ids.size());
  ASSERT_GE(size, config.tokens);
  for (size_t i = 0; i < corpus.document_starts.size(); ++i) {
    const int64_t begin = corpus.document_starts[i];
    const int64_t end = i + 1 < corpus.document_starts.size() ? corpus.document_starts[i + 1] : size;
    EXPECT_LE(end - begin, context + 1);
    const std::string text = bytes_of(*tokenizer, ids, begin, end);
    std::string counted;
    for (int64_t at = begin; at < end; ++at) {
      if (corpus.counted[static_cast<size_t>(at)] != 0) counted += bytes_of(*tokenizer, ids, at, at + 1);
    }
    if (name == "passkey") {
      EXPECT_THAT(text, ::testing::AnyOf(::testing::StartsWith("Find"), ::testing::StartsWith(" Find")));
      EXPECT_EQ(counted.size(), 7U);
      EXPECT_THAT(text, ::testing::EndsWith("is" + counted));
      EXPECT_THAT(text, HasSubstr(counted.substr(0, 6) + ". Remember"));
    } else {
      EXPECT_THAT(text, ::testing::EndsWith("|" + counted));
      EXPECT_THAT(text, HasSubstr(">" + counted.substr(0, counted.size() - 1) + "|"));
      EXPECT_GE(counted.size(), 2 * 5 + 1U);
      EXPECT_LE(counted.size(), 2 * 20 + 1U);
    }
  }
  EXPECT_TRUE(std::binary_search(corpus.document_starts.begin(), corpus.document_starts.end(),
                                 corpus.train_end));
  EXPECT_NEAR(static_cast<double>(corpus.train_end), 0.9 * static_cast<double>(size),
              static_cast<double>(context + 1));
}

TEST(TaskCorpus, CountedTokensAreTheAnswersAndTheEndOfTheLast) {
  for (const auto& tokenizer : some_tokenizers()) {
    expect_samples("passkey", tokenizer, 400);
    expect_samples("copying", tokenizer, 120);
  }
}

TEST(TaskCorpus, AnEndlessTextBeginsAtEventsAndCountsValues) {
  for (const auto& tokenizer : some_tokenizers()) {
    const TaskConfig config = config_of("register");
    const auto task = make_task(config, tokenizer);
    const Corpus corpus = task_corpus(*task, tokenizer, config, 64, 0.1);
    const std::vector<int32_t> ids = all_ids(corpus);
    const std::string words = task->every_word();
    const size_t values = words.find(" red");
    ASSERT_GT(corpus.document_starts.size(), 1000U);
    EXPECT_EQ(corpus.document_starts[0], 0);
    for (size_t i = 0; i + 1 < corpus.document_starts.size(); ++i) {
      std::string key, value;
      for (int64_t at = corpus.document_starts[i]; at < corpus.document_starts[i + 1]; ++at) {
        (corpus.counted[static_cast<size_t>(at)] != 0 ? value : key) +=
            bytes_of(*tokenizer, ids, at, at + 1);
      }
      ASSERT_LT(words.find(key), values) << key;
      ASSERT_GE(words.find(value), values) << value;
      ASSERT_NE(words.find(value), std::string::npos) << value;
    }
  }
}

TEST(TaskCorpus, AllTokensCountWhereAsked) {
  TaskConfig config = config_of("copying");
  config.loss = "all";
  const auto task = make_task(config, byte_tokenizer());
  EXPECT_TRUE(task_corpus(*task, byte_tokenizer(), config, 120, 0.1).counted.empty());
}

TEST(TaskCorpus, IsTheSameForEveryRun) {
  for (const char* name : {"passkey", "copying", "register"}) {
    const TaskConfig config = config_of(name);
    const auto make = [&] {
      return task_corpus(*make_task(config, byte_tokenizer()), byte_tokenizer(), config, 400, 0.1);
    };
    const Corpus first = make(), second = make();
    EXPECT_EQ(all_ids(first), all_ids(second));
    EXPECT_EQ(first.counted, second.counted);
    EXPECT_EQ(first.document_starts, second.document_starts);
  }
}

TEST(TaskCorpus, LengthsAreDrawnFromTheRangeAsked) {
  TaskConfig config = config_of("copying");
  config.shortest = 3;
  config.longest = 6;
  const auto task = make_task(config, byte_tokenizer());
  const Corpus corpus = task_corpus(*task, byte_tokenizer(), config, 64, 0.1);
  std::vector<int> by_letters(7, 0);
  for (size_t i = 0; i + 1 < corpus.document_starts.size(); ++i) {
    const int64_t bytes = corpus.document_starts[i + 1] - corpus.document_starts[i];
    ++by_letters.at(static_cast<size_t>((bytes - 3) / 4));
  }
  const auto samples = static_cast<double>(corpus.document_starts.size() - 1);
  for (size_t letters = 3; letters <= 6; ++letters) {
    // Five standard deviations of a binomial count.
    EXPECT_NEAR(by_letters[letters], samples / 4, 5 * std::sqrt(samples * 3 / 16)) << letters;
  }
}

TEST(TaskCorpus, WhatAWindowCantHoldIsRefused) {
  const auto refused = [](TaskConfig config, int64_t context) {
    const auto task = make_task(config, byte_tokenizer());
    return testing::refusal(
        [&] { task_corpus(*task, byte_tokenizer(), config, context, 0.1); }, ErrorKind::kBadUsage);
  };
  TaskConfig copying = config_of("copying");
  EXPECT_THAT(refused(copying, 30), HasSubstr("a window of the context 30 holds 31"));
  EXPECT_THAT(refused(config_of("passkey"), 64), HasSubstr("65 tokens is wanted"));
  TaskConfig passkey = config_of("passkey");
  passkey.longest = 600;
  EXPECT_THAT(refused(passkey, 400), HasSubstr("a window of the context 400 holds 401"));
  passkey = config_of("passkey");
  passkey.shortest = 600;
  EXPECT_THAT(refused(passkey, 400), HasSubstr("shortest samples of passkey have 600 tokens"));
}

TEST(TaskCorpus, AStopEndsIt) {
  for (const char* name : {"passkey", "copying", "register"}) {
    TaskConfig config = config_of(name);
    config.tokens = int64_t{1} << 30;
    const auto task = make_task(config, byte_tokenizer());
    std::stop_source stop;
    const StopScope scope(stop.get_token());
    const auto stop_soon = [&](const std::string&, double share) {
      if (share > 0) stop.request_stop();
    };
    EXPECT_THAT(testing::refusal(
                    [&] { task_corpus(*task, byte_tokenizer(), config, 400, 0.1, stop_soon); },
                    ErrorKind::kInterrupted),
                ::testing::Ne("accepted"));
  }
}

TEST(MakeTask, RefusesANameThatIsNone) {
  TaskConfig config;
  config.name = "pasword";
  EXPECT_THAT(testing::refusal([&] { make_task(config, byte_tokenizer()); }, ErrorKind::kBadUsage),
              HasSubstr("no task \"pasword\"; choose one of passkey, babilong, copying, register"));
}

}  // namespace
}  // namespace farstate
