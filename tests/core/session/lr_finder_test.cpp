// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/lr_finder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/base/stop.h"
#include "core/checkpoint/model_files.h"
#include "core/session/jobs.h"
#include "core/session/trainer.h"
#include "tests/support/temp_folder.h"

namespace farstate {
namespace {

using ::testing::HasSubstr;

// A rate's loss that falls towards `best` and rises beyond it, with noise.
LrFinding curve(double best, double depth, double noise) {
  LrFinding finding;
  Rng rng(3, RngStream::kMeasure);
  for (int i = 0; i < 100; ++i) {
    const double rate = 1e-6 * std::pow(1e6, i / 99.0);
    const double off = std::log10(rate / best);
    double loss = 3;
    if (depth > 0 && off > -2) loss += off < 0 ? -depth * (1 + off / 2) : depth * (off * 8 - 1);
    finding.rates.push_back(rate);
    finding.losses.push_back(loss + noise * rng.normal());
  }
  return finding;
}

TEST(LrFinder, SuggestsATenthOfTheRateWhereTheLossTurns) {
  for (const double best : {1e-3, 2e-2}) {
    LrFinding finding = curve(best, 0.5, 0.01);
    judge(finding);
    ASSERT_TRUE(finding.suggestion.has_value()) << finding.sentence;
    // Nine steps are a factor of 3.5; a rise as steep as this one shows sooner, so that the suggestion
    // lies low by up to that.
    EXPECT_GE(*finding.suggestion, best / 10 / 4);
    EXPECT_LE(*finding.suggestion, best / 10 * 1.2);
    EXPECT_THAT(finding.sentence, HasSubstr("a tenth of"));
  }
}

TEST(LrFinder, SaysNothingWhereTheLossOnlyScatters) {
  LrFinding finding = curve(1e-3, 0, 0.05);
  judge(finding);
  EXPECT_FALSE(finding.suggestion.has_value());
  EXPECT_THAT(finding.sentence, HasSubstr("no more than it scatters"));
  LrFinding few = curve(1e-3, 1, 0.01);
  few.rates.resize(12);
  few.losses.resize(12);
  judge(few);
  EXPECT_FALSE(few.suggestion.has_value());
  EXPECT_THAT(few.sentence, HasSubstr("Too few"));
}

RunConfig demo_run() {
  RunConfig config;
  config.intervention.kind = Intervention::kStatePassing;
  config.train.batch = 8;
  config.train.steps = 60;
  return config;
}

// Mean losses of the first steps from states that were passed, and of the last; infinite where a loss
// is not finite.
struct Ends {
  double first = 0;
  double last = 0;
};

Ends train_at(RunConfig config, double rate) {
  LoadedModel loaded = load_model({}, config.seed, {});
  const Corpus corpus = load_corpus(config.data, loaded.info.vocabulary, loaded.tokenizer);
  config.train.learning_rate = rate;
  config.train.divergence = 0;
  config.train.most_skips = 0;
  Trainer trainer(*loaded.model, corpus, config);
  Ends ends;
  try {
    for (int i = 0; i < 60; ++i) {
      const double loss = trainer.step().loss;
      if (i >= 1 && i < 4) ends.first += loss / 3;
      if (i >= 50) ends.last += loss / 10;
    }
  } catch (const Error&) {
    ends.last = INFINITY;
  }
  return ends;
}

TEST(LrFinder, OfTheDemoTheSuggestionTrainsAndTenTimesTheEndDoesNot) {
  const LrSearch search{1e-6, 10, 117};  // far enough that no order of sums ends it at the last rate
  const LrFinding finding = find_learning_rate(demo_run(), search, {});
  ASSERT_TRUE(finding.suggestion.has_value()) << finding.sentence;
  EXPECT_TRUE(finding.diverged);
  EXPECT_LT(finding.rates.size(), 117U);
  const Ends good = train_at(demo_run(), *finding.suggestion);
  EXPECT_LT(good.last, 0.7 * good.first) << finding.sentence;
  // That the search ended means a nat above the best.
  EXPECT_GT(train_at(demo_run(), 10 * finding.rates.back()).last, good.last + 1);
}

TEST(LrFinder, IsGeometricAndRepeatable) {
  const LrSearch search{1e-5, 1e-3, 21};
  const LrFinding a = find_learning_rate(demo_run(), search, {});
  ASSERT_EQ(a.rates.size(), 21U);
  EXPECT_DOUBLE_EQ(a.rates.front(), 1e-5);
  EXPECT_NEAR(a.rates.back(), 1e-3, 1e-12);
  EXPECT_NEAR(a.rates[11] / a.rates[10], std::pow(100, 1.0 / 20), 1e-9);
  EXPECT_EQ(find_learning_rate(demo_run(), search, {}).losses, a.losses);
  const std::vector<Series> series = lr_series(a);
  ASSERT_NE(find_series(series, "lr_loss"), nullptr);
  EXPECT_EQ(find_series(series, "lr_loss")->x_name, "learning_rate");
  EXPECT_EQ(find_series(series, "lr_loss")->y, a.losses);
}

TEST(LrFinder, RefusesWhatIsNoSearchAndEndsOnAStop) {
  EXPECT_THROW(find_learning_rate(demo_run(), {1e-3, 1e-3, 100}, {}), Error);
  EXPECT_THROW(find_learning_rate(demo_run(), {0, 1, 100}, {}), Error);
  EXPECT_THROW(find_learning_rate(demo_run(), {1e-6, 1, 5}, {}), Error);
  std::stop_source source;
  const StopScope scope(source.get_token());
  const LrFinding finding =
      find_learning_rate(demo_run(), {}, [&](const std::string& phase, double) {
        if (phase.starts_with("step 3 ")) source.request_stop();
      });
  EXPECT_TRUE(finding.interrupted);
  EXPECT_EQ(finding.rates.size(), 3U);
}

}  // namespace
}  // namespace farstate
