// SPDX-License-Identifier: GPL-3.0-or-later
// An experiment is nothing but its runs: each arm's numbers are those of `train` and `measure`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "core/base/error.h"
#include "core/base/stop.h"
#include "core/session/jobs.h"
#include "tests/support/temp_folder.h"

namespace farstate {
namespace {

using ::testing::HasSubstr;
using testing::TempFolder;

const ProgressSink kQuiet = [](const std::string&, double) {};

RunConfig small() {
  RunConfig config;
  config.train.steps = 6;
  config.train.batch = 4;
  config.train.context = 32;
  config.measure.length = 256;
  config.measure.sequences = 2;
  config.measure.probes = {"perplexity", "state"};
  return config;
}

ExperimentOutcome run(const RunConfig& config, const ExperimentPlan& job) {
  return experiment(config, job, {}, {});
}

void expect_same_curves(const std::vector<Series>& a, const std::vector<Series>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].name, b[i].name);
    EXPECT_EQ(a[i].y, b[i].y) << a[i].name;
  }
}

TEST(Experiment, RunsAreThoseOfTrainAndMeasure) {
  const TempFolder folder;
  const RunConfig config = small();
  const ExperimentOutcome both = run(config, {{"zero", "state-passing"}, 2, ""});
  ASSERT_EQ(both.experiment.runs.size(), 4u);
  EXPECT_FALSE(both.failed || both.interrupted);
  EXPECT_EQ(both.experiment.context, 64);  // the demo records it
  expect_same_curves(both.experiment.base->series, measure(config, kQuiet).results.series);

  RunConfig one = config;
  one.intervention.kind = Intervention::kStatePassing;
  one.seed = config.seed + 1;
  train(one, {folder.file("run"), "", -1}, {});
  RunConfig mended = config;
  mended.model.model = folder.file("run");
  const ArmRun& arm = *both.experiment.runs[3];
  EXPECT_EQ(arm.arm, "state-passing");
  EXPECT_EQ(arm.seed, config.seed + 1);
  EXPECT_EQ(arm.steps, 6);
  // EffRem and drift would be taken at the run's own T; perplexity knows none.
  const std::vector<Series> alone = measure(mended, kQuiet).results.series;
  ASSERT_EQ(alone[0].name, "perplexity");
  EXPECT_EQ(arm.series[0].y, alone[0].y);
  EXPECT_NE(arm.series[0].y, both.experiment.runs[2]->series[0].y);
}

TEST(Experiment, GoesOnWhereItWasEndedAndCanBeExtended) {
  const TempFolder folder;
  RunConfig config = small();
  config.train.steps = 3;
  run(config, {{"tbtt"}, 1, folder.file("out")});
  config.train.steps = 6;
  const ExperimentOutcome extended = run(config, {{"tbtt"}, 1, folder.file("out")});
  const ExperimentOutcome whole = run(config, {{"tbtt"}, 1, ""});
  expect_same_curves(extended.experiment.runs[0]->series, whole.experiment.runs[0]->series);
  EXPECT_EQ(extended.experiment.runs[0]->saved_in, folder.file("out") + "/tbtt-seed7");
}

TEST(Experiment, AFolderOfAnotherRecipeIsRefusedByName) {
  const TempFolder folder;
  RunConfig config = small();
  run(config, {{"zero"}, 1, folder.file("out")});
  config.train.learning_rate *= 2;
  try {
    run(config, {{"zero"}, 1, folder.file("out")});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadUsage);
    EXPECT_THAT(error.what(), HasSubstr("zero-seed7 holds a run of another recipe"));
  }
}

TEST(Experiment, ImpossibleArmsAreRefused) {
  EXPECT_THROW(run(small(), {{}, 1, ""}), Error);
  EXPECT_THROW(run(small(), {{"zero", "zero"}, 1, ""}), Error);
  EXPECT_THROW(run(small(), {{"sideways"}, 1, ""}), Error);
  EXPECT_THROW(run(small(), {{"zero"}, 0, ""}), Error);
}

TEST(Experiment, AnArmThatDivergesEndsAlone) {
  RunConfig config = small();
  config.train.learning_rate = 1e30;
  config.train.warmup = 0;
  config.train.clip = 0;
  const ExperimentOutcome outcome = run(config, {{"zero", "random-noise"}, 1, ""});
  ASSERT_EQ(outcome.experiment.runs.size(), 2u);
  EXPECT_TRUE(outcome.failed);
  for (const auto& arm : outcome.experiment.runs) EXPECT_FALSE(arm->problem.empty()) << arm->arm;
  EXPECT_FALSE(outcome.experiment.base->series.empty());
}

TEST(Experiment, AStopKeepsTheRunsThatAreWhole) {
  std::stop_source stop;
  const StopScope scope(stop.get_token());
  const ExperimentOutcome outcome =
      experiment(small(), {{"zero", "tbtt"}, 1, ""}, {}, [&](const ArmRun& arm, const Experiment&) {
        if (arm.arm == "zero") stop.request_stop();
      });
  EXPECT_TRUE(outcome.interrupted);
  ASSERT_EQ(outcome.experiment.runs.size(), 1u);
  EXPECT_THAT(outcome.experiment.notes.back(), HasSubstr("1 of 2"));
}

TEST(TrainJob, WhatAStopIsToKeepIsSavedWhole) {
  const TempFolder folder;
  TrainJob job;
  job.out = folder.file("run");
  job.record = false;
  std::stop_source stop;
  {
    const StopScope scope(stop.get_token());
    const TrainOutcome outcome = train(small(), job, [&](const TrainPoint& point, int64_t) {
      if (point.step == 3) stop.request_stop();
    });
    EXPECT_TRUE(outcome.interrupted);
    EXPECT_EQ(outcome.steps, 3);
  }
  TrainJob rest;
  rest.resume = job.out;
  rest.record = false;
  EXPECT_EQ(train({}, rest, {}).steps, small().train.steps);
}

TEST(Experiment, AFolderOfALongerRunIsRefused) {
  const TempFolder folder;
  RunConfig config = small();
  run(config, {{"zero"}, 1, folder.file("out")});
  config.train.steps = 2;
  try {
    run(config, {{"zero"}, 1, folder.file("out")});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadUsage);
    EXPECT_THAT(error.what(), HasSubstr("more than the 2 that are asked for"));
  }
}

}  // namespace
}  // namespace farstate
