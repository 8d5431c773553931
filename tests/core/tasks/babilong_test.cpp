// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/babilong.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "core/base/error.h"
#include "core/tasks/babilong_rules.h"
#include "core/tasks/small_world.h"
#include "core/tokenizer/byte_tokenizer.h"
#include "core/tokenizer/load_tokenizer.h"
#include "core/tokenizer/word_vocabulary.h"
#include "tests/support/naive_reader.h"
#include "tests/support/task_samples.h"
#include "tests/support/temp_folder.h"

namespace farstate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::naive_answer;
using testing::text_at;

const std::vector<std::string> kAll(std::begin(kBabilongKinds), std::end(kBabilongKinds));

std::shared_ptr<const Tokenizer> subwords() {
  return load_tokenizer(FARSTATE_GOLDEN_DIR "/tokenizer/neox.json");
}

TaskConfig settings(int64_t shots, const std::vector<std::string>& questions = kAll,
                    const std::string& source = "") {
  TaskConfig config;
  config.name = "babilong";
  config.questions = questions;
  config.shots = shots;
  config.source = source;
  return config;
}

std::unique_ptr<Task> babilong(std::shared_ptr<const Tokenizer> tokenizer, int64_t shots = 0,
                               const std::vector<std::string>& questions = kAll,
                               const std::string& source = "") {
  return make_babilong(settings(shots, questions, source), std::move(tokenizer));
}

int64_t tokens(const Tokenizer& tokenizer, const std::string& text) {
  std::vector<int32_t> ids;
  tokenizer.encode(text, ids);
  return std::ssize(ids);
}

// The sentences of the text that the question is about.
std::vector<std::string> sentences(const TaskSample& sample) {
  const std::string begin = "<context>\n", end = "\n</context>";
  const size_t from = sample.text.rfind(begin) + begin.size();
  const std::string context = sample.text.substr(from, sample.text.rfind(end) - from);
  std::vector<std::string> all;
  for (size_t at = 0; at < context.size();) {
    const size_t stop = context.find('.', at);
    all.push_back(context.substr(at, stop + 1 - at));
    at = stop + 2;
  }
  return all;
}

bool is_fact(const std::string& kind, const std::string& sentence) {
  const std::vector<std::string> words = testing::words_of(sentence);
  const Cast& cast = cast_of(kind);
  const auto holds = [](const std::vector<std::string>& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
  };
  return holds(cast.people, words[0]) || (words[0] == "The" && holds(cast.rooms, words[1]));
}

std::vector<std::string> facts(const TaskSample& sample) {
  std::vector<std::string> all = sentences(sample);
  std::erase_if(all, [&](const std::string& one) { return !is_fact(sample.kind, one); });
  return all;
}

TEST(Babilong, HidesTheFactsInOrderAndTheirAnswerFollows) {
  const auto task = babilong(byte_tokenizer());
  for (const std::string& kind : kAll) {
    for (const int64_t length : {0, 1500, 4096, 20000}) {
      for (uint64_t seed = 0; seed < 20; ++seed) {
        Rng numbers(seed, RngStream::kTaskScore);
        const TaskSample sample = task->sample({length, -1, kind}, numbers);
        EXPECT_EQ(sample.kind, kind);
        EXPECT_EQ(naive_answer(facts(sample), sample.question), sample.target) << sample.text;
        std::vector<std::string> evidence;
        int64_t before = 0;
        for (const TextSpan& span : sample.evidence) {
          EXPECT_GE(span.begin, before);
          before = span.end;
          evidence.push_back(text_at(sample, span));
          EXPECT_THAT(facts(sample), ::testing::Contains(evidence.back()));
        }
        EXPECT_EQ(naive_answer(evidence, sample.question), sample.target) << sample.text;
        ASSERT_EQ(sample.answers.size(), 1U);
        EXPECT_EQ(text_at(sample, sample.answers[0]), " " + sample.target);
        EXPECT_EQ(sample.text.substr(static_cast<size_t>(sample.answers[0].end)), ".\n");
        EXPECT_THAT(sample.text.substr(0, static_cast<size_t>(sample.answers[0].begin)),
                    ::testing::EndsWith("Question: " + sample.question + "\nAnswer:"));
      }
    }
  }
}

// Never longer, and shorter by less than one short sentence of the background: 30 draws have missed
// what is left. The longest sentence has fewer than 150 letters.
TEST(Babilong, SamplesAreAsLongAsAskedUpToASentence) {
  for (const auto& tokenizer : testing::tokenizers_for(settings(2))) {
    const auto task = babilong(tokenizer, 2);
    for (const std::string& kind : kAll) {
      for (const int64_t length : {3000, 4096, 16384, 65536}) {
        Rng numbers(5, RngStream::kTaskScore);
        const TaskSample sample = task->sample({length, -1, kind}, numbers);
        const int64_t count = tokens(*tokenizer, sample.text);
        EXPECT_LE(count, length) << tokenizer->name() << kind;
        EXPECT_GT(count, length - 60) << tokenizer->name() << kind;
      }
    }
  }
}

TEST(Babilong, TheFewestTokensHoldEveryKind) {
  const auto task = babilong(byte_tokenizer(), 1);
  for (const std::string& kind : kAll) {
    Rng numbers(6, RngStream::kTaskScore);
    try {
      task->sample({10, -1, kind}, numbers);
      FAIL() << kind;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kBadUsage);
      const std::string said = error.what();
      const size_t at = said.find("ask for ") + 8;
      const int64_t shortest = std::stoll(said.substr(at));
      for (int i = 0; i < 20; ++i) {
        EXPECT_LE(std::ssize(task->sample({shortest, -1, kind}, numbers).text), shortest);
      }
    }
  }
}

TEST(Babilong, ADepthPutsTheFactsThereTogether) {
  const auto task = babilong(byte_tokenizer());
  for (const double depth : {0.0, 0.25, 0.5, 1.0}) {
    Rng numbers(7, RngStream::kTaskScore);
    const TaskSample sample = task->sample({20000, depth, "qa3"}, numbers);
    const std::vector<std::string> all = sentences(sample);
    const std::vector<std::string> told = facts(sample);
    const auto first = std::ranges::find(all, told.front());
    const auto begin = first - all.begin();
    for (size_t i = 0; i < told.size(); ++i) EXPECT_EQ(*(first + static_cast<int64_t>(i)), told[i]);
    const auto others = static_cast<double>(all.size() - told.size());
    EXPECT_NEAR(static_cast<double>(begin) / others, depth, 1.5 / others);
  }
}

// Facts stand anywhere: of many samples' first facts some are in the first tenth and of the last
// facts some in the last.
TEST(Babilong, WithoutADepthFactsAreScatteredOverTheText) {
  const auto task = babilong(byte_tokenizer());
  std::vector<int> tenths(10);
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Rng numbers(seed, RngStream::kTaskScore);
    const TaskSample sample = task->sample({20000, -1, "qa4"}, numbers);
    const std::vector<std::string> all = sentences(sample);
    for (size_t i = 0; i < all.size(); ++i) {
      if (is_fact("qa4", all[i])) ++tenths[i * 10 / all.size()];
    }
  }
  // 200 facts, 20 in a tenth on average; 5 standard deviations of 4.2 below it are none, so that an
  // empty tenth or one with 41 would be no chance.
  EXPECT_THAT(tenths, ::testing::Each(::testing::AllOf(::testing::Gt(0), ::testing::Lt(41))));
}

TEST(Babilong, FollowsFromTheRequestAndTheNumbers) {
  const auto task = babilong(byte_tokenizer(), 2), again = babilong(byte_tokenizer(), 2);
  std::set<std::string> texts, kinds;
  for (uint64_t seed = 0; seed < 30; ++seed) {
    Rng a(seed, RngStream::kTaskScore), b(seed, RngStream::kTaskScore);
    const TaskSample sample = task->sample({3000, -1, ""}, a);
    EXPECT_EQ(sample.text, again->sample({3000, -1, ""}, b).text);
    texts.insert(sample.text);
    kinds.insert(sample.kind);
  }
  EXPECT_EQ(texts.size(), 30U);
  EXPECT_GT(kinds.size(), 5U) << "the kind is drawn";
}

TEST(Babilong, ShowsTheWorkedExamplesAskedFor) {
  for (const int64_t shots : {0, 1, 2, 5}) {
    const auto task = babilong(byte_tokenizer(), shots);
    for (const std::string& kind : kAll) {
      Rng numbers(8, RngStream::kTaskScore);
      const TaskSample sample = task->sample({0, -1, kind}, numbers);
      int64_t examples = 0;
      for (size_t at = 0; (at = sample.text.find("<example>", at)) != std::string::npos; ++at) {
        ++examples;
      }
      EXPECT_EQ(examples, shots) << kind;
      if (shots == 0) {
        EXPECT_TRUE(sample.text.starts_with("<context>\n")) << kind;
      }
    }
  }
}

// An example teaches what it says: its answer follows from its facts.
TEST(Babilong, WorkedExamplesAreRight) {
  const auto task = babilong(byte_tokenizer(), 6);
  for (const std::string& kind : kAll) {
    Rng numbers(9, RngStream::kTaskScore);
    const std::string text = task->sample({0, -1, kind}, numbers).text;
    const std::string open = "<example>\n", ask = "\nQuestion: ", reply = "\nAnswer: ";
    for (size_t at = text.find(open); at != std::string::npos; at = text.find(open, at + 1)) {
      const size_t question = text.find(ask, at), answer = text.find(reply, at);
      std::vector<std::string> told;
      for (size_t s = at + open.size(); s < question;) {
        const size_t stop = text.find('.', s);
        told.push_back(text.substr(s, stop + 1 - s));
        s = stop + 2;
      }
      const std::string asked = text.substr(question + ask.size(), answer - question - ask.size());
      const size_t begin = answer + reply.size();
      EXPECT_EQ(naive_answer(told, asked), text.substr(begin, text.find(".\n", begin) - begin))
          << text.substr(at, 400);
    }
  }
}

TEST(Babilong, MarksByTheBenchmarksRules) {
  const auto task = babilong(byte_tokenizer());
  Rng numbers(10, RngStream::kTaskScore);
  const TaskSample sample = task->sample({2000, -1, "qa1"}, numbers);
  const Marks right = task->mark(sample, " The " + sample.target + ". Then more");
  EXPECT_EQ(right.correct, 1);
  EXPECT_EQ(right.total, 1);
  EXPECT_EQ(task->mark(sample, " everywhere").correct, 0);
  EXPECT_EQ(task->mark(sample, " everywhere").total, 1);
  EXPECT_TRUE(task->ended(sample, " office."));
  EXPECT_FALSE(task->ended(sample, " office"));
  EXPECT_EQ(task->most_tokens(2), 20);
}

// A tokenizer of the words of every_word() has all of a sample, and a few hundred of them do.
TEST(Babilong, EveryWordIsInEveryWord) {
  for (const int64_t shots : {0, 3}) {
    const WordVocabulary vocabulary =
        vocabulary_of_text(babilong(nullptr, shots)->every_word(), /*characters=*/false, 0);
    EXPECT_LT(vocabulary.pieces.size(), 800U);
    const std::shared_ptr<const Tokenizer> words =
        parse_tokenizer(to_tokenizer_json(vocabulary), "words");
    const auto task = babilong(words, shots);
    for (uint64_t seed = 0; seed < 60; ++seed) {
      Rng numbers(seed, RngStream::kTaskScore);
      const TaskSample sample = task->sample({3000, -1, ""}, numbers);
      std::vector<int32_t> ids;
      words->encode(sample.text, ids);
      EXPECT_LE(ids.size(), 3000U);
      EXPECT_GT(ids.size(), 3000U - 30);
      std::string text;
      for (const int32_t id : ids) text += words->bytes(id);
      ASSERT_EQ(text, sample.text);
    }
  }
}

TEST(Babilong, LengthsGoFromFactsAloneToEightContexts) {
  EXPECT_THAT(babilong(subwords(), 0, {"qa1"})->lengths(2048),
              ElementsAre(0, 1024, 2048, 4096, 8192, 16384));
  // What no sample fits into is left out.
  EXPECT_THAT(babilong(byte_tokenizer(), 2, {"qa1"})->lengths(256), ElementsAre(0, 1024, 2048));
}

TEST(Babilong, RefusesQuestionsThatItHasNot) {
  const auto refuses = [](const std::vector<std::string>& questions, const char* part) {
    try {
      babilong(byte_tokenizer(), 0, questions);
      ADD_FAILURE() << part;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kBadUsage);
      EXPECT_THAT(error.what(), HasSubstr(part));
    }
  };
  refuses({}, "at least one");
  refuses({"qa1", "qa11"}, "\"qa11\"");
  refuses({"qa1", "qa2", "qa1"}, "twice");
  Rng numbers(1, RngStream::kTaskScore);
  EXPECT_THROW(babilong(byte_tokenizer(), 0, {"qa1"})->sample({0, -1, "qa2"}, numbers), Error);
}

class BabilongOfFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_.file("data/qa1"));
    folder_.write("data/qa1/0k.json",
                  R"([{"input":"Mary went to the kitchen.","question":"Where is Mary?","target":"kitchen"},
                      {"input":"John went to the office.","question":"Where is John?","target":"office"}])");
    const std::string noise(3000, 'x');
    folder_.write("data/qa1/2k.json", R"([{"input":"Mary went to the garden. )" + noise +
                                          R"(.","question":"Where is Mary?","target":"garden"}])");
  }
  testing::TempFolder folder_;
};

TEST_F(BabilongOfFiles, PutsTheirQuestionsInTheSameForm) {
  const auto task = babilong(byte_tokenizer(), 0, {"qa1"}, folder_.path());
  EXPECT_THAT(task->lengths(2048), ElementsAre(0, 2048));
  std::set<std::string> texts;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Rng numbers(seed, RngStream::kTaskScore);
    const TaskSample sample = task->sample({0, -1, "qa1"}, numbers);
    EXPECT_EQ(text_at(sample, sample.answers.at(0)), " " + sample.target);
    EXPECT_EQ(task->mark(sample, " " + sample.target + ".").correct, 1);
    EXPECT_TRUE(sample.evidence.empty()) << "the files don't say which facts support an answer";
    texts.insert(sample.text);
  }
  EXPECT_THAT(texts, ElementsAre("<context>\nJohn went to the office.\n</context>\n\n"
                                 "Question: Where is John?\nAnswer: office.\n",
                                 "<context>\nMary went to the kitchen.\n</context>\n\n"
                                 "Question: Where is Mary?\nAnswer: kitchen.\n"));
}

TEST_F(BabilongOfFiles, ALengthThatNamesAFileIsThatFiles) {
  const auto task = babilong(byte_tokenizer(), 0, {"qa1"}, folder_.path());
  Rng numbers(1, RngStream::kTaskScore);
  for (const int64_t length : {2000, 2048}) {
    EXPECT_EQ(task->sample({length, -1, "qa1"}, numbers).target, "garden");
  }
}

// A window of training holds no more than it holds.
TEST_F(BabilongOfFiles, AnyOtherLengthIsTheMostThatIsNotExceeded) {
  const auto task = babilong(byte_tokenizer(), 0, {"qa1"}, folder_.path());
  Rng numbers(1, RngStream::kTaskScore);
  EXPECT_EQ(task->sample({3500, -1, "qa1"}, numbers).target, "garden");
  EXPECT_NE(task->sample({2500, -1, "qa1"}, numbers).target, "garden");
  try {
    task->sample({50, -1, "qa1"}, numbers);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadUsage);
    EXPECT_THAT(error.what(), HasSubstr("within 50 tokens"));
  }
}

}  // namespace
}  // namespace farstate
