// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/experiment_words.h"

#include <gmock/gmock.h>

#include "app/desktop/models/arm_groups.h"

namespace farstate::desktop {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr int64_t kT = 64;

// Perplexity `within` up to T and `past` beyond, up to position `reach`.
std::vector<Series> curve(double within, double past, int64_t reach = 64 * kT) {
  Series s;
  s.name = "perplexity";
  for (int64_t end = 2; end <= 2 * reach; end *= 2) {
    s.bin_begin.push_back(end / 2);
    s.bin_end.push_back(end);
    s.x.push_back(0.75 * static_cast<double>(end));
    s.y.push_back(end / 2 <= kT ? within : past);
  }
  return {s};
}

std::shared_ptr<ArmRun> run_of(const std::string& arm, uint64_t seed, double past,
                               ArmStage stage = ArmStage::kDone) {
  auto run = std::make_shared<ArmRun>();
  run->arm = arm;
  run->law = arm.substr(0, arm.find(':'));
  run->seed = seed;
  run->stage = stage;
  run->steps = run->planned = 200;
  run->series = curve(3.5, past);
  return run;
}

class Words : public ::testing::Test {
 protected:
  Words() {
    experiment_.context = kT;
    auto base = std::make_shared<ArmRun>();
    base->arm = "base";
    base->series = curve(3.4, 160);
    experiment_.base = base;
  }
  ArmRun& add(const std::string& arm, uint64_t seed, double past,
              ArmStage stage = ArmStage::kDone) {
    auto run = run_of(arm, seed, past, stage);
    run->id = static_cast<int64_t>(experiment_.runs.size()) + 1;
    experiment_.runs.push_back(run);
    return *run;
  }
  std::string shows() const { return experiment_words(experiment_).shows.toStdString(); }
  std::string open() const { return experiment_words(experiment_).open.toStdString(); }

  Experiment experiment_;
};

TEST_F(Words, SayTheBestArmAgainstTheControlWithMeanSpreadAndSeeds) {
  for (const uint64_t seed : {7, 8, 9}) {
    add("zero", seed, 140 + 4.0 * static_cast<double>(seed));
    add("state-passing", seed, 3.6 + 0.05 * static_cast<double>(seed - 7));
  }
  // 3.60, 3.65, 3.70: mean 3.65, deviation of the sample 0.05. 168, 172, 176: 172 and 4.
  EXPECT_THAT(shows(),
              StartsWith("At 64T, position 4,096, state passing has perplexity 3.65 ± 0.05 "
                         "(3 seeds) against 172 ± 4 (3 seeds) for the zero-state control; "
                         "the untouched checkpoint has 160."));
  EXPECT_THAT(shows(),
              HasSubstr("Its seeds' range doesn't overlap that of the zero-state control."));
  EXPECT_THAT(shows(), HasSubstr("At T itself it has 3.50 ± 0.00, the untouched checkpoint 3.40."));
  EXPECT_THAT(open(), HasSubstr("With 3 seeds the spread itself is known only roughly."));
  EXPECT_THAT(open(), Not(HasSubstr("control")));
  EXPECT_THAT(open(), Not(HasSubstr("Measured up to")));
}

TEST_F(Words, ArmsWhoseRangesOverlapCannotBeToldApart) {
  add("zero", 7, 150);
  add("zero", 8, 160);
  add("state-passing", 7, 3.6);
  add("state-passing", 8, 3.8);
  add("fitted-noise", 7, 3.7);
  add("fitted-noise", 8, 4.5);
  EXPECT_THAT(shows(), HasSubstr("Then: fitted noise 4.10 ± 0.57 (2 seeds)."));
  EXPECT_THAT(shows(), HasSubstr("overlaps that of fitted noise: there they can't be told apart."));
  EXPECT_THAT(shows(), HasSubstr("doesn't overlap that of the zero-state control."));
}

TEST_F(Words, OneSeedHasNoSpreadAndNoRange) {
  add("zero", 7, 150);
  add("state-passing", 7, 3.6);
  EXPECT_THAT(shows(), HasSubstr("3.60 (1 seed) against 150 (1 seed)"));
  EXPECT_THAT(shows(), AllOf(Not(HasSubstr("range")), Not(HasSubstr("±"))));
  EXPECT_THAT(open(), HasSubstr("One seed each: without a spread nothing tells a difference from "
                                "chance."));
}

TEST_F(Words, WithoutTheControlThatIsSaid) {
  add("state-passing", 7, 3.6);
  add("state-passing", 8, 3.7);
  EXPECT_THAT(shows(), HasSubstr("against 160 for the untouched checkpoint."));
  EXPECT_THAT(open(), HasSubstr("Without the zero-state control it isn't known how much of this is "
                                "training as such."));
  // Another law's settings make no control of it.
  add("zero:train.learning_rate=1e-3", 7, 150);
  EXPECT_THAT(open(), HasSubstr("Without the zero-state control"));
  add("zero", 7, 150);
  EXPECT_THAT(open(), Not(HasSubstr("Without the zero-state control")));
}

TEST_F(Words, TheControlMayBeTheBest) {
  add("zero", 7, 3.0);
  add("state-passing", 7, 3.6);
  EXPECT_THAT(shows(), StartsWith("At 64T, position 4,096, the zero-state control has perplexity "
                                  "3.00 (1 seed) against 160 for the untouched checkpoint. Then: "
                                  "state passing 3.60 (1 seed)."));
}

TEST_F(Words, RunsThatHaveNotEndedAreNamed) {
  add("zero", 7, 150);
  ArmRun& runs = add("state-passing", 7, 5, ArmStage::kRunning);
  runs.steps = 60;
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->step = 60;
  snapshot->series = curve(3.5, 5);
  runs.snapshots = {snapshot};
  runs.series.clear();
  ArmRun& waits = add("tbtt", 7, 0, ArmStage::kWaiting);
  waits.series.clear();
  add("random-noise", 7, 20, ArmStage::kStopped);
  EXPECT_THAT(open(),
              HasSubstr("Not at its planned end: state passing; what is said is of the last "
                        "curve so far."));
  EXPECT_THAT(open(), HasSubstr("Not begun: truncated BPTT."));
  EXPECT_THAT(open(), HasSubstr("Stopped early: random noise."));
  EXPECT_THAT(open(), HasSubstr("The arms are not at the same step: the curves are of steps 60 to "
                                "200."));
  EXPECT_THAT(open(), HasSubstr("Truncated BPTT reads the text in order, so it saw other windows"));
}

TEST_F(Words, AFailedRunIsNamedAndNoPartOfTheMean) {
  add("zero", 7, 150);
  add("random-noise", 7, 20);
  add("random-noise", 8, 90000, ArmStage::kFailed);
  EXPECT_THAT(shows(), HasSubstr("random noise has perplexity 20.0 (1 seed)"));
  EXPECT_THAT(open(), HasSubstr("Failed, and left out of the numbers: random noise (seed 8)."));
}

TEST_F(Words, WhatIsNotMeasuredTo64TSaysHowFar) {
  ArmRun& control = add("zero", 7, 150);
  control.series = curve(3.5, 150, 8 * kT);
  ArmRun& arm = add("state-passing", 7, 3.6);
  arm.series = curve(3.5, 3.6, 8 * kT);
  EXPECT_THAT(shows(), StartsWith("At 8T, position 512, state passing has perplexity 3.60"));
  EXPECT_THAT(open(), HasSubstr("Measured up to position 1,023, not to 64T (4,096): how it goes on "
                                "isn't known."));
}

TEST_F(Words, AForkIsAnArmOfItsOwn) {
  add("zero", 7, 150);
  ArmRun& fork = add("zero@40 > state-passing", 7, 3.6);
  fork.law = "state-passing";
  fork.parent = 1;
  fork.forked_at = 40;
  EXPECT_THAT(shows(), HasSubstr("state passing, from Zero state at 40 has perplexity 3.60"));
  EXPECT_THAT(open(), HasSubstr("Forked runs did not start from the untouched checkpoint."));
}

TEST_F(Words, BeforeAnythingIsMeasuredNothingIsClaimed) {
  EXPECT_EQ(shows(), "There is nothing to compare yet.");
  add("zero", 7, 0, ArmStage::kWaiting).series.clear();
  EXPECT_EQ(shows(), "Only the untouched checkpoint has been measured so far.");
  experiment_.base.reset();
  EXPECT_EQ(shows(), "Nothing has been measured yet.");
  EXPECT_THAT(open(), HasSubstr("Not begun: zero state."));
}

TEST(ArmGroups, SettingsAndForksMakeArmsAndSeedsDoNot) {
  Experiment e;
  e.runs = {run_of("random-noise", 7, 1), run_of("random-noise", 8, 1),
            run_of("random-noise:sigma=0.3", 7, 1)};
  auto fork = run_of("zero@20 > random-noise", 7, 1);
  fork->law = "random-noise";
  e.runs.push_back(fork);
  const std::vector<ArmGroup> groups = arm_groups(e);
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].runs.size(), 2u);
  EXPECT_EQ(groups[1].name, QStringLiteral("Random noise, sigma=0.3"));
  for (const bool dark : {false, true}) {
    const LineStyle law = intervention_line(Intervention::kRandomNoise, dark);
    EXPECT_EQ(groups[0].line(dark), law);
    EXPECT_EQ(groups[1].line(dark).marker, law.marker);
    EXPECT_EQ(groups[1].line(dark).dash, law.dash);
    EXPECT_TRUE(groups[1].line(dark).hollow);
    EXPECT_NE(groups[2].line(dark), groups[1].line(dark));
    EXPECT_NE(groups[2].line(dark), law);
  }
  EXPECT_EQ(groups[2].name, QStringLiteral("Random noise, from Zero state at 20"));
  EXPECT_EQ(
      arm_name("zero@20 > tbtt@30 > random-noise:sigma=2"),
      QStringLiteral("Random noise, sigma=2, from Truncated BPTT, from Zero state at 20 at 30"));
}

TEST(ArmGroups, FiveVariantsOfALawLookUnlike) {
  const LineStyle law = intervention_line(Intervention::kTbtt, false);
  std::vector<LineStyle> looks;
  for (int variant = 0; variant <= 5; ++variant) {
    looks.push_back(variant_line(law, variant, false));
    for (int other = 0; other < variant; ++other) {
      EXPECT_NE(looks[static_cast<size_t>(other)], looks.back()) << other << " and " << variant;
    }
  }
}

TEST(ArmGroups, ACurveIsTheLastOneRecordedByThen) {
  ArmRun run;
  run.steps = 45;
  for (const int64_t step : {10, 20, 40}) {
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->step = step;
    run.snapshots.push_back(snapshot);
  }
  EXPECT_FALSE(recorded_at(run, 9));
  EXPECT_EQ(recorded_at(run, 10)->step, 10);
  EXPECT_EQ(recorded_at(run, 39)->step, 20);
  EXPECT_EQ(recorded_at(run, {})->step, 40);
  run.series = curve(1, 1);
  EXPECT_EQ(recorded_at(run, 44)->step, 40);
  EXPECT_EQ(recorded_at(run, 45)->step, 45);
  EXPECT_EQ(recorded_at(run, {})->step, 45);
}

}  // namespace
}  // namespace farstate::desktop
