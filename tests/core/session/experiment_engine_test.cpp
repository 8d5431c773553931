// SPDX-License-Identifier: GPL-3.0-or-later
// The experiment that goes on by units: whatever is done to it, the numbers are those of its recipes.
#include "core/session/experiment_engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/base/stop.h"
#include "core/session/jobs.h"
#include "tests/support/temp_folder.h"

namespace farstate {
namespace {

using ::testing::HasSubstr;
using testing::TempFolder;
using Kind = ArmCommand::Kind;
using namespace std::chrono_literals;

const std::vector<std::string> kFive = {"zero", "random-noise", "fitted-noise", "state-passing", "tbtt"};

RunConfig small(int64_t steps = 6) {
  RunConfig config;
  config.train.steps = steps;
  config.train.batch = 2;
  config.train.context = 16;
  config.train.evaluate_every = 2;  // a turn ends with a snapshot, so that turns are short here
  config.train.save_every = 3;
  config.measure.length = 64;
  config.measure.sequences = 2;
  config.measure.probes = {"perplexity", "state"};
  return config;
}

ExperimentPlan plan_of(std::vector<std::string> arms, const std::string& out = "",
                       bool interleaved = false) {
  ExperimentPlan plan;
  plan.arms = std::move(arms);
  plan.out = out;
  plan.interleaved = interleaved;
  return plan;
}

ArmCommand command(Kind kind, std::vector<int64_t> runs = {}, int64_t steps = 0,
                   const std::string& arm = "") {
  return {kind, std::move(runs), steps, arm};
}

void to_end(ExperimentEngine& engine) {
  while (engine.running()) engine.advance(1s);
}

// One unit at a time, until run `id` has done so many steps.
void until_step(ExperimentEngine& engine, int64_t id, int64_t steps) {
  while (engine.running() &&
         engine.picture(true)->runs[static_cast<size_t>(id) - 1]->steps < steps) {
    engine.advance(0ms);
  }
}

void expect_same_run(const ArmRun& a, const ArmRun& b) {
  EXPECT_EQ(a.steps, b.steps) << a.arm;
  ASSERT_EQ(a.points.size(), b.points.size()) << a.arm;
  for (size_t i = 0; i < a.points.size(); ++i) {
    EXPECT_EQ(a.points[i].loss, b.points[i].loss) << a.arm << " step " << i + 1;
    EXPECT_EQ(a.points[i].learning_rate, b.points[i].learning_rate) << a.arm;
  }
  ASSERT_EQ(a.series.size(), b.series.size()) << a.arm;
  for (size_t i = 0; i < a.series.size(); ++i) EXPECT_EQ(a.series[i].y, b.series[i].y) << a.arm;
}

void expect_same_snapshots(const ArmRun& a, const ArmRun& b) {
  ASSERT_EQ(a.snapshots.size(), b.snapshots.size()) << a.arm;
  for (size_t i = 0; i < a.snapshots.size(); ++i) {
    EXPECT_EQ(a.snapshots[i]->step, b.snapshots[i]->step);
    EXPECT_EQ(a.snapshots[i]->series[0].y, b.snapshots[i]->series[0].y);
  }
}

std::shared_ptr<const Experiment> whole(const RunConfig& config, const ExperimentPlan& plan,
                                        int64_t most_live = 0) {
  ExperimentSetting setting;
  setting.most_live = most_live;
  ExperimentEngine engine(config, plan, setting);
  to_end(engine);
  return engine.picture(true);
}

void expect_same(const Experiment& a, const Experiment& b) {
  ASSERT_EQ(a.runs.size(), b.runs.size());
  for (size_t i = 0; i < a.runs.size(); ++i) {
    expect_same_run(*a.runs[i], *b.runs[i]);
    expect_same_snapshots(*a.runs[i], *b.runs[i]);
  }
}

TEST(ExperimentEngine, TurnsChangeNoNumber) {
  const auto one_by_one = whole(small(), plan_of(kFive));
  ExperimentEngine engine(small(), plan_of(kFive, "", true), {});
  until_step(engine, 5, 2);
  for (const auto& run : engine.picture(true)->runs) EXPECT_LT(run->steps, 6) << "no run is ahead by far";
  to_end(engine);
  expect_same(*engine.picture(true), *one_by_one);
  for (const auto& run : one_by_one->runs) {
    EXPECT_EQ(run->stage, ArmStage::kDone);
    ASSERT_EQ(run->snapshots.size(), 4u);  // 0, 2, 4 and the end
    EXPECT_EQ(run->snapshots[0], one_by_one->base->snapshots[0]) << "the checkpoint's, once for all";
  }
}

TEST(ExperimentEngine, WeightsThatAreParkedComeBackToTheBit) {
  const TempFolder folder;
  const auto all = whole(small(), plan_of(kFive));
  expect_same(*whole(small(), plan_of(kFive, "", true), 1), *all);
  expect_same(*whole(small(), plan_of(kFive, folder.file("out"), true), 2), *all);
}

TEST(ExperimentEngine, APausedRunHoldsAndGoesOnAsIfNothingWas) {
  const auto straight = whole(small(), plan_of({"tbtt", "zero"}));
  const TempFolder folder;
  ExperimentEngine engine(small(), plan_of({"tbtt", "zero"}, folder.file("out")), {});
  until_step(engine, 1, 4);
  engine.direct(command(Kind::kPause, {1}));
  to_end(engine);  // of the other one
  auto at = engine.picture(true);
  EXPECT_EQ(at->runs[0]->stage, ArmStage::kPaused);
  EXPECT_EQ(at->runs[0]->steps, 4);
  EXPECT_EQ(at->runs[1]->stage, ArmStage::kDone);
  EXPECT_TRUE(std::filesystem::exists(folder.file("out/tbtt-seed7/training.safetensors")));
  EXPECT_FALSE(at->running);
  engine.direct(command(Kind::kResume, {1}));
  EXPECT_TRUE(engine.running());
  to_end(engine);
  expect_same(*engine.picture(true), *straight);
}

TEST(ExperimentEngine, AStoppedRunIsMeasuredWhereItIs) {
  ExperimentEngine engine(small(), plan_of({"zero"}), {});
  until_step(engine, 1, 3);
  engine.direct(command(Kind::kStop));
  to_end(engine);
  const ArmRun run = *engine.picture(true)->runs[0];
  EXPECT_EQ(run.stage, ArmStage::kStopped);
  EXPECT_EQ(run.steps, 3);
  EXPECT_EQ(run.planned, 6);
  EXPECT_EQ(run.series[0].y, whole(small(3), plan_of({"zero"}))->runs[0]->series[0].y);
}

TEST(ExperimentEngine, AStoppedRunWithoutAStepIsNotMeasured) {
  ExperimentEngine engine(small(), plan_of({"zero", "tbtt"}), {});
  until_step(engine, 1, 3);
  engine.direct(command(Kind::kStop));
  const ArmRun unbegun = *engine.picture(true)->runs[1];
  EXPECT_EQ(unbegun.stage, ArmStage::kStopped);
  to_end(engine);
  EXPECT_TRUE(engine.picture(true)->runs[1]->series.empty());
  EXPECT_FALSE(engine.picture(true)->runs[0]->series.empty());
}

TEST(ExperimentEngine, AStopDuringAMeasurementLeavesItDue) {
  ExperimentEngine engine(small(), plan_of({"zero"}), {});
  std::stop_source stop;
  {
    const StopScope scope(stop.get_token());
    EXPECT_THROW(engine.advance(1s, [&] { stop.request_stop(); }), Error);
  }
  EXPECT_EQ(engine.picture(true)->base, nullptr);
  EXPECT_TRUE(engine.running());
  to_end(engine);
  expect_same(*engine.picture(true), *whole(small(), plan_of({"zero"})));
}

TEST(ExperimentEngine, AnExtendedRunIsOneThatWasPlannedSoLong) {
  const auto straight = whole(small(9), plan_of(kFive));
  ExperimentEngine engine(small(3), plan_of(kFive, "", true), {});
  to_end(engine);
  EXPECT_FALSE(engine.picture(true)->runs[0]->series.empty());
  engine.direct(command(Kind::kExtend, {}, 6));
  EXPECT_EQ(engine.picture(true)->runs[0]->planned, 9);
  EXPECT_TRUE(engine.picture(true)->runs[0]->series.empty()) << "these were of other weights";
  to_end(engine);
  ASSERT_EQ(engine.picture(true)->runs.size(), 5u);
  for (size_t i = 0; i < 5; ++i) expect_same_run(*engine.picture(true)->runs[i], *straight->runs[i]);
}

// The recipe is all that a run depends on, also of one that was forked from a run that was forked.
TEST(ExperimentEngine, AForksRecipeReplaysIt) {
  for (const std::string schedule : {"constant", "cosine"}) {
    for (const int64_t most_live : {0, 1}) {
      SCOPED_TRACE(schedule + " " + std::to_string(most_live));
      const TempFolder folder;
      RunConfig config = small();
      config.train.schedule = schedule;
      ExperimentSetting setting;
      setting.most_live = most_live;
      ExperimentEngine engine(config, plan_of({"state-passing"}, folder.file("out")), setting);
      until_step(engine, 1, 3);
      engine.direct(command(Kind::kFork, {1}, 4, "random-noise:sigma=0.3"));
      until_step(engine, 2, 5);
      engine.direct(command(Kind::kFork, {2}, 2, "tbtt"));
      to_end(engine);
      const auto at = engine.picture(true);
      ASSERT_EQ(at->runs.size(), 3u);
      EXPECT_EQ(at->runs[0]->steps, 6);
      EXPECT_EQ(at->runs[1]->parent, 1);
      EXPECT_EQ(at->runs[1]->forked_at, 3);
      EXPECT_EQ(at->runs[1]->law, "random-noise");
      EXPECT_EQ(at->runs[1]->steps, 7);
      EXPECT_THAT(at->runs[1]->saved_in, HasSubstr("state-passing-seed7-fork1"));
      EXPECT_EQ(at->runs[2]->steps, 7);
      for (const auto& run : at->runs) {
        EXPECT_EQ(run->problem, "");
        TrainJob job;
        job.record = false;
        const TrainOutcome replay = train(run_config_from_json(run->recipe), job, {});
        const Series& loss = replay.results.series[0];
        ASSERT_EQ(loss.y.size(), run->points.size()) << run->arm;
        for (size_t i = 0; i < loss.y.size(); ++i) {
          EXPECT_EQ(loss.y[i], run->points[i].loss) << run->arm << " step " << i + 1;
        }
      }
    }
  }
}

TEST(ExperimentEngine, AForkThatCannotBeIsASentenceAndChangesNothing) {
  ExperimentEngine engine(small(), plan_of({"zero"}), {});
  EXPECT_THROW(engine.direct(command(Kind::kFork, {1}, 4, "sideways")), Error);
  EXPECT_THROW(engine.direct(command(Kind::kFork, {1}, 0, "tbtt")), Error);
  EXPECT_THROW(engine.direct(command(Kind::kFork, {1}, 4, "tbtt:train.batch=9")), Error);
  EXPECT_THROW(engine.direct(command(Kind::kPause, {9})), Error);
  EXPECT_EQ(engine.picture(true)->runs.size(), 1u);
}

// Dropping the engine saves nothing, as kill -9 does.
TEST(ExperimentEngine, WhatIsKilledAmidItsTurnsGoesOnFromItsSaves) {
  const auto straight = whole(small(), plan_of(kFive));
  for (const int64_t reached : {1, 3, 5}) {
    SCOPED_TRACE(reached);
    const TempFolder folder;
    const ExperimentPlan plan = plan_of(kFive, folder.file("out"), true);
    {
      ExperimentEngine engine(small(), plan, {});
      until_step(engine, 2, reached);
    }
    ExperimentEngine engine(small(), plan, {});
    to_end(engine);
    for (size_t i = 0; i < 5; ++i) expect_same_run(*engine.picture(true)->runs[i], *straight->runs[i]);
  }
}

TEST(ExperimentEngine, ARunThatFailsFailsAlone) {
  const auto at = whole(small(), plan_of({"random-noise:sigma=1e38:zero_probability=0:train.most_skips=0",
                                          "zero"}));
  EXPECT_EQ(at->runs[0]->stage, ArmStage::kFailed);
  EXPECT_THAT(at->runs[0]->problem, HasSubstr("diverged"));
  EXPECT_EQ(at->runs[1]->stage, ArmStage::kDone);
  expect_same_run(*at->runs[1], *whole(small(), plan_of({"zero"}))->runs[0]);
}

TEST(ExperimentEngine, APictureIsNeverChangedAndSharesWhatDidNot) {
  ExperimentEngine engine(small(), plan_of({"zero", "tbtt"}), {});
  until_step(engine, 1, 2);
  engine.direct(command(Kind::kPause, {2}));
  const auto before = engine.picture(true);
  const std::string text = [&] {
    int64_t ignored = 0;
    return to_json(*before, ignored);
  }();
  until_step(engine, 1, 5);
  engine.direct(command(Kind::kPause, {1}));
  const auto after = engine.picture(true);
  EXPECT_NE(after->runs[0], before->runs[0]);
  EXPECT_EQ(after->runs[1], before->runs[1]) << "nothing happened to it";
  int64_t ignored = 0;
  EXPECT_EQ(to_json(*before, ignored), text);
}

TEST(ExperimentEngine, SettingsOfAnArmAreItsOwn) {
  const TempFolder folder;
  const auto at = whole(small(), plan_of({"random-noise:sigma=0.3", "random-noise:sigma=3"},
                                         folder.file("out")));
  EXPECT_EQ(run_config_from_json(at->runs[0]->recipe).intervention.sigma, 0.3);
  EXPECT_NE(at->runs[0]->points.back().loss, at->runs[1]->points.back().loss);
  EXPECT_THAT(at->runs[0]->saved_in, HasSubstr("random-noise,sigma=0.3-seed7"));
}

// Whatever is asked for, in whatever order: no run is lost, none steps while it is held, and all that
// have ended say where.
TEST(ExperimentEngine, AnyCommandsInAnyOrder) {
  const TempFolder folder;
  Rng rng(11, RngStream::kInit);
  ExperimentSetting setting;
  setting.most_live = 2;
  ExperimentEngine engine(small(4), plan_of({"state-passing", "tbtt", "fitted-noise"}, folder.file("out"), true),
                          setting);
  std::vector<int64_t> held(64, -1);  // steps at which a run was paused
  for (int i = 0; i < 200; ++i) {
    const auto runs = static_cast<int64_t>(engine.picture(true)->runs.size());
    const int64_t id = 1 + rng.below(runs);
    auto kind = static_cast<Kind>(rng.below(5));
    if (kind == Kind::kFork && runs >= 12) kind = Kind::kResume;
    try {
      engine.direct(command(kind, {id}, 1 + rng.below(3), kFive[static_cast<size_t>(rng.below(5))]));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kBadUsage) << error.what();
    }
    if (rng.below(2) == 0) engine.advance(0ms);
    const auto at = engine.picture(true);
    ASSERT_GE(static_cast<int64_t>(at->runs.size()), runs);
    for (const auto& run : at->runs) {
      int64_t& steps = held[static_cast<size_t>(run->id)];
      const bool paused = run->stage == ArmStage::kPaused;
      if (paused && steps >= 0) {
        EXPECT_EQ(run->steps, steps) << "it steps while it is held";
      }
      steps = paused ? run->steps : -1;
      EXPECT_NE(run->stage, ArmStage::kFailed) << run->problem;
      EXPECT_LE(run->steps, run->planned);
      if (run->stage == ArmStage::kDone) {
        EXPECT_EQ(run->steps, run->planned);
      }
    }
  }
  engine.direct(command(Kind::kResume));
  to_end(engine);
  const auto at = engine.picture(true);
  for (const auto& run : at->runs) {
    if (run->steps == 0) continue;  // stopped before it began: there is nothing to measure
    EXPECT_FALSE(run->series.empty()) << run->arm;
    EXPECT_EQ(static_cast<int64_t>(run->points.size()), run->steps);
    EXPECT_TRUE(run->stage == ArmStage::kDone || run->stage == ArmStage::kStopped);
    TrainJob job;
    job.record = false;
    RunConfig recipe = run_config_from_json(run->recipe);
    if (run->steps < at_step(recipe, run->steps).train.steps) recipe.train.steps = run->steps;
    const TrainOutcome replay = train(recipe, job, {});
    ASSERT_EQ(replay.steps, run->steps) << run->arm;
    const Series& loss = replay.results.series[0];
    for (size_t s = 0; s < loss.y.size(); ++s) EXPECT_EQ(loss.y[s], run->points[s].loss) << run->arm;
  }
}

}  // namespace
}  // namespace farstate
