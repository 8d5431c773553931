// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/evaluator.h"

#include <gtest/gtest.h>

#include <set>

#include "core/base/error.h"
#include "core/base/stop.h"
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
      [&](const Evaluation& part) { stages.push_back(part.series.size()); });
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
