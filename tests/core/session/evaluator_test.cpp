// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/evaluator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "core/base/error.h"
#include "core/base/stop.h"
#include "core/session/examination.h"
#include "core/tokenizer/byte_tokenizer.h"
#include "tests/support/tiny_model.h"

namespace farstate {
namespace {

Corpus letters() {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += static_cast<char>('a' + (i * 7 + i / 5) % 26);
  Corpus corpus;
  corpus.name = "letters";
  corpus.tokens = std::make_shared<ByteTokens>(text);
  corpus.train_end = 1500;
  return corpus;
}

MeasureConfig small() {
  MeasureConfig config;
  config.length = 100;
  config.sequences = 3;
  config.effrem_length = 40;
  config.effrem_points = 6;
  return config;
}

void no_progress(const std::string&, double) {}

TEST(Evaluator, MeasuresAllProbesOnceAndReportsStages) {
  const auto model = testing::tiny_model();
  const Evaluator evaluator(letters(), small(), 0);
  std::vector<size_t> stages;
  double last_share = 0;
  const Evaluation result = evaluator.run(
      *model, [&](const std::string&, double share) { last_share = share; },
      [&](const Evaluation& part) {
        if (part.swept) stages.push_back(part.series.size());
      });
  std::multiset<std::string> names;
  for (const Series& series : result.series) names.insert(series.name);
  EXPECT_EQ(names.count("perplexity"), 1U);
  EXPECT_EQ(names.count("loss"), 1U);
  for (const char* name : {"effrem", "effrem_q10", "effrem_q50", "effrem_q90", "effrem_js",
                           "effrem_kl", "effrem_agreement"}) {
    EXPECT_EQ(names.count(name), 1U) << name;
  }
  EXPECT_EQ(names.count("state_norm"), 8U);
  EXPECT_EQ(names.count("state_std"), 8U);
  EXPECT_EQ(names.count("state_max"), 8U);
  EXPECT_EQ(result.config.part, "held-out");
  ASSERT_EQ(stages.size(), 2U);
  EXPECT_EQ(stages[1], stages[0] + 7);
  EXPECT_DOUBLE_EQ(last_share, 1.0);
}

TEST(Evaluator, SameModelSameNumbersAndOnlyTheChosenProbes) {
  const auto model = testing::tiny_model();
  MeasureConfig config = small();
  config.probes = {"perplexity"};
  config.per_position = true;
  const Evaluator evaluator(letters(), config, 0);
  const Evaluation a = evaluator.run(*model, no_progress);
  const Evaluation b = evaluator.run(*model, no_progress);
  ASSERT_EQ(a.series.size(), 2U);
  EXPECT_EQ(a.series[0].y, b.series[0].y);
  EXPECT_EQ(a.per_position.nll, b.per_position.nll);
  EXPECT_EQ(a.per_position.tokens.size(), 3U);
  EXPECT_EQ(a.per_position.nll[2].size(), 99U);
}

TEST(Evaluator, EffremReadsFourTrainedContexts) {
  MeasureConfig config = small();
  config.effrem_length = 0;
  EXPECT_EQ(Evaluator(letters(), config, 16).config().effrem_length, 64);
  EXPECT_EQ(Evaluator(letters(), config, 64).config().effrem_length, 100) << "at most the length";
  EXPECT_EQ(Evaluator(letters(), config, 0).config().effrem_length, 100);
}

TEST(Evaluator, MeasuringLeavesNoGraphAndChangesNothing) {
  const auto model = testing::tiny_model();
  const auto untouched = testing::tiny_model();
  Evaluator(letters(), small(), 0).run(*model, no_progress);
  for (size_t i = 0; i < model->tensors().size(); ++i) {
    EXPECT_FALSE(model->tensors()[i].tensor.grad().defined());
    EXPECT_TRUE(testing::bit_equal(model->tensors()[i].tensor, untouched->tensors()[i].tensor));
  }
}

const Series& find(const Evaluation& in, const std::string& name) {
  for (const Series& series : in.series) {
    if (series.name == name) return series;
  }
  throw std::runtime_error("no series " + name);
}

TEST(Evaluator, CurvesCanBeSeenWhileItSweeps) {
  const auto model = testing::tiny_model();
  MeasureConfig config = small();
  config.sequences = 20;  // two groups
  config.length = 2000;
  config.probes = {"perplexity", "state", "dynamics"};
  std::string text;
  for (int i = 0; i < 5000; ++i) text += static_cast<char>('a' + (i * 7 + i / 5) % 26);
  Corpus corpus = letters();
  corpus.tokens = std::make_shared<ByteTokens>(text);
  Evaluator evaluator(corpus, config, 0);
  evaluator.show_at({.rest = 0, .share = 1});
  std::vector<Evaluation> parts;
  const Evaluation whole =
      evaluator.run(*model, no_progress, [&](const Evaluation& part) { parts.push_back(part); });
  ASSERT_GE(parts.size(), 4U);
  double reached = 0;
  for (const Evaluation& part : parts) {
    const Series& norm = find(part, "state_norm");
    const Series& loss = find(part, "loss");
    EXPECT_GE(norm.x.back(), reached);
    reached = norm.x.back();
    EXPECT_EQ(norm.sequences, part.swept ? 20 : 16);
    EXPECT_EQ(loss.sequences, norm.sequences);
    EXPECT_EQ(loss.y.size(), loss.bin_end.size());
    EXPECT_LE(loss.bin_end.back(), norm.x.back() + 1) << "no bin before it is full";
    for (const double y : loss.y) EXPECT_TRUE(y > 0 && y < 20);
  }
  EXPECT_LT(find(parts.front(), "state_norm").x.back(), 2000);
  EXPECT_EQ(find(parts[parts.size() - 2], "state_norm").x.back(), 2000) << "the first group alone";
  // Showing changes no number.
  const Evaluation quiet = Evaluator(corpus, config, 0).run(*model, no_progress);
  ASSERT_EQ(quiet.series.size(), whole.series.size());
  for (size_t i = 0; i < quiet.series.size(); ++i) EXPECT_EQ(quiet.series[i].y, whole.series[i].y);
}

TEST(Evaluator, AStateThatIsNotFiniteEndsItAndWhatWasBeforeStays) {
  Mamba2Config untied = testing::tiny_config();
  untied.tied_head = false;  // only what reads the token breaks, not every prediction
  const auto model = testing::tiny_model(5, untied);
  const at::NoGradGuard no_grad;
  model->tensors().front().tensor['!'] = std::nanf("");  // the embedding of one token
  std::string text(2000, 'a');
  for (size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>('a' + (i * 7 + i / 5) % 26);
  text[60] = '!';
  Corpus corpus = letters();
  corpus.tokens = std::make_shared<ByteTokens>(text);
  MeasureConfig config = small();
  config.part = "all";
  config.per_position = true;
  config.pins = {32, 90};
  config.probes = {"perplexity", "state", "distribution", "dynamics", "effrem"};
  const Evaluation result = Evaluator(corpus, config, 16).run(*model, no_progress);
  EXPECT_FALSE(result.finite);
  EXPECT_THAT(result.notes, ::testing::Contains(::testing::ContainsRegex(
                                "layer 0, head 0 is not finite after 6[1-9] tokens")));
  for (const Series& series : result.series) {
    EXPECT_THAT(series.name, ::testing::Not(::testing::HasSubstr("effrem"))) << "it is not begun";
    ASSERT_FALSE(series.x.empty()) << series.name;
    EXPECT_LE(series.x.back(), 60) << series.name;
    EXPECT_GE(series.x.back(), 32) << series.name;
    for (const double y : series.y) EXPECT_TRUE(std::isfinite(y)) << series.name;
  }
  ASSERT_TRUE(result.states.has_value());
  EXPECT_THAT(result.states->positions, ::testing::ElementsAre(32));
  ASSERT_EQ(result.per_position.nll.size(), 3U);
  for (size_t s = 0; s < 3; ++s) {
    EXPECT_LE(result.per_position.nll[s].size(), 60U);
    EXPECT_EQ(result.per_position.tokens[s].size(), result.per_position.nll[s].size() + 1);
    for (const float loss : result.per_position.nll[s]) EXPECT_TRUE(std::isfinite(loss));
  }
  config.probes = {"perplexity"};
  config.per_position = false;
  const Evaluation alone = Evaluator(corpus, config, 16).run(*model, no_progress);
  EXPECT_FALSE(alone.finite) << "whatever is asked for";
  EXPECT_EQ(find(alone, "loss").bin_end, find(result, "loss").bin_end);
}

TEST(Evaluator, LooksCloselyAtThePins) {
  const auto model = testing::tiny_model();
  MeasureConfig config = small();
  config.probes = {"distribution"};
  const auto tokenizer = byte_tokenizer();
  const Evaluation usual = Evaluator(letters(), config, 16, tokenizer).run(*model, no_progress);
  ASSERT_TRUE(usual.states.has_value());
  EXPECT_THAT(usual.states->positions, ::testing::ElementsAre(16, 100));
  EXPECT_THAT(usual.config.pins, ::testing::ElementsAre(16, 100)) << "in the recipe as resolved";
  config.pins = {5, 98};
  const Evaluation result = Evaluator(letters(), config, 16, tokenizer).run(*model, no_progress);
  EXPECT_THAT(result.states->positions, ::testing::ElementsAre(5, 98));
  ASSERT_EQ(result.states->text.size(), 2U);
  const TextAround& early = result.states->text[0];
  EXPECT_EQ(early.first, 0);
  EXPECT_EQ(early.tokens.size(), 17U);
  const TextAround& late = result.states->text[1];
  EXPECT_EQ(late.first, 86);
  EXPECT_EQ(late.tokens.size(), 14U) << "to the end of the sequence";
  std::vector<int64_t> ids(14);
  Evaluator(letters(), config, 16).sequences().read(0, 86, ids);
  for (size_t i = 0; i < ids.size(); ++i) {
    EXPECT_EQ(late.tokens[i].id, ids[i]);
    EXPECT_EQ(late.tokens[i].text, std::string(1, static_cast<char>(ids[i])));
  }
  config.pins = {101};
  EXPECT_THROW(Evaluator(letters(), config, 16), Error);
}

TEST(Examine, AnswersAsTheMeasurementDoes) {
  const auto model = testing::tiny_model();
  MeasureConfig config = small();
  config.sequences = 20;
  config.probes = {"distribution"};
  config.pins = {90, 16};
  const Evaluator evaluator(letters(), config, 16);
  const StateReport wanted = *evaluator.run(*model, no_progress).states;
  StateQuestion question;
  question.number = 7;
  question.positions = {90, 16, 3000};
  question.focus = {1, 3};
  double share = 0;
  const StateReport report = examine(*model, evaluator.sequences(), 16, nullptr, question,
                                     [&](const std::string&, double s) { share = s; });
  EXPECT_EQ(report.question, 7U);
  EXPECT_EQ(share, 1.0);
  EXPECT_EQ(report.law, wanted.law);
  EXPECT_THAT(report.positions, ::testing::ElementsAre(90, 16, 100));
  EXPECT_THAT(report.notes, ::testing::Contains(::testing::HasSubstr("3000 lies outside the sequences")));
  ASSERT_EQ(report.heads.size(), wanted.heads.size());
  for (size_t i = 0; i < report.heads.size(); ++i) {
    for (size_t pin = 0; pin < 2; ++pin) {
      // Of fp32 states that were read in other segments.
      EXPECT_NEAR(report.heads[i].at[pin].norm, wanted.heads[i].at[pin].norm,
                  1e-5 * wanted.heads[i].at[pin].norm);
      EXPECT_NEAR(report.heads[i].at[pin].cosine, wanted.heads[i].at[pin].cosine, 1e-5);
    }
    EXPECT_NEAR(report.heads[i].training->std, wanted.heads[i].training->std,
                1e-5 * wanted.heads[i].training->std);
  }
  question.focus = {2, 0};
  EXPECT_THROW(examine(*model, evaluator.sequences(), 16, nullptr, question), Error);
  question = {};
  EXPECT_THROW(examine(*model, evaluator.sequences(), 16, nullptr, question), Error);
}

TEST(Evaluator, AStopEndsItAfterWhatWasComplete) {
  const auto model = testing::tiny_model();
  const Evaluator evaluator(letters(), small(), 0);
  std::stop_source source;
  const StopScope scope(source.get_token());
  size_t complete = 0;
  EXPECT_THROW(evaluator.run(*model, no_progress,
                             [&](const Evaluation& part) {
                               complete = part.series.size();
                               source.request_stop();
                             }),
               Error);
  EXPECT_GT(complete, 0U);
}

TEST(Evaluator, ManySequencesAreSweptInGroups) {
  const auto model = testing::tiny_model();
  MeasureConfig config = small();
  config.sequences = 37;
  config.probes = {"perplexity", "state"};
  const Evaluation many = Evaluator(letters(), config, 0).run(*model, no_progress);
  for (const Series& series : many.series) {
    EXPECT_EQ(series.sequences, 37);
    EXPECT_FALSE(series.x.empty());
    for (const double y : series.y) EXPECT_TRUE(std::isfinite(y));
  }
}

}  // namespace
}  // namespace farstate
