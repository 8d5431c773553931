// SPDX-License-Identifier: GPL-3.0-or-later
// The worker and the tasks: samples that are answered, scores, training and experiments on a task.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/session/jobs.h"
#include "core/store/run_store.h"
#include "tests/support/runner_desk.h"

namespace farstate {
namespace {

using ::testing::HasSubstr;
using testing::Desk;
using testing::small;
using testing::small_bytes;

TaskQuestion question(uint64_t number, const std::string& task, int64_t length) {
  TaskQuestion question;
  question.number = number;
  question.task.name = task;
  question.length = length;
  return question;
}

RunConfig scoring(const std::string& task, std::vector<int64_t> lengths, int64_t trials) {
  RunConfig config = small_bytes();
  config.task.name = task;
  config.score.lengths = std::move(lengths);
  config.score.trials = trials;
  return config;
}

bool scored(const Desk& desk) {
  return desk.last.state == RunState::kReady && desk.last.scores != nullptr &&
         !desk.last.scores->running;
}

void expect_same_cells(const std::vector<TaskCell>& a, const std::vector<TaskCell>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].length, b[i].length);
    EXPECT_EQ(a[i].depth, b[i].depth);
    EXPECT_EQ(a[i].mode, b[i].mode);
    EXPECT_EQ(a[i].samples, b[i].samples);
    EXPECT_EQ(a[i].correct, b[i].correct);
    EXPECT_EQ(a[i].trials, b[i].trials);
  }
}

TEST(RunnerTasks, ASampleIsAnswered) {
  Desk desk;
  desk.runner->load(small_bytes());
  desk.runner->try_task(question(3, "register", 200));
  ASSERT_TRUE(desk.until([&] { return desk.last.trial != nullptr; }));
  const TaskTrial& trial = *desk.last.trial;
  EXPECT_EQ(trial.number, 3U);
  EXPECT_EQ(trial.problem, "");
  EXPECT_EQ(trial.by_answer.size(), trial.sample.answers.size());
  EXPECT_GT(trial.probability, 0);
  EXPECT_LT(trial.probability, 1);
}

TEST(RunnerTasks, AQuestionThatCannotBeAnsweredIsASentence) {
  Desk desk;
  desk.runner->load(small_bytes());
  desk.runner->try_task(question(4, "passkey", 10));
  ASSERT_TRUE(desk.until([&] { return desk.last.trial != nullptr; }));
  EXPECT_EQ(desk.last.trial->number, 4U);
  EXPECT_THAT(desk.last.trial->problem, HasSubstr("10 tokens"));
  EXPECT_FALSE(desk.last.error.has_value());
  ASSERT_TRUE(desk.until_measured());
}

TEST(RunnerTasks, ASampleIsAnsweredWhileItTrains) {
  Desk desk;
  RunConfig config = small_bytes();
  config.train.steps = 100000;
  desk.runner->load(config);
  desk.runner->run();
  ASSERT_TRUE(desk.until([&] { return desk.points.size() > 3; }));
  desk.runner->try_task(question(1, "register", 200));
  desk.runner->try_task(question(2, "register", 200));
  ASSERT_TRUE(desk.until([&] { return desk.last.trial != nullptr && desk.last.trial->number == 2; }));
  EXPECT_GT(desk.last.trial->step, 3);
  EXPECT_EQ(desk.last.state, RunState::kRunning);
}

TEST(RunnerTasks, ScoresAreThoseOfTheTerminalProgram) {
  const RunConfig config = scoring("register", {200, 400}, 6);
  Desk desk;
  desk.runner->load(small_bytes());
  ASSERT_TRUE(desk.until_measured());
  desk.runner->score(config);
  ASSERT_TRUE(desk.until([&] { return scored(desk); }));
  const TaskScores terminal = score(config, "base", {}).scores;
  expect_same_cells(desk.last.scores->cells, terminal.cells);
  EXPECT_EQ(desk.last.scores->cells.front().arm, "base");
  EXPECT_EQ(desk.last.scores->step, 0);
  EXPECT_DOUBLE_EQ(desk.last.scores->progress, 1);
}

TEST(RunnerTasks, AStopKeepsCellsAndTheSameAgainGoesOn) {
  const RunConfig config = scoring("register", {256, 1024, 4096}, 64);
  Desk desk;
  desk.runner->load(small_bytes());
  ASSERT_TRUE(desk.until_measured());
  desk.runner->score(config);
  ASSERT_TRUE(desk.until([&] {
    return desk.last.scores != nullptr && desk.last.scores->cells.front().samples > 0;
  }));
  desk.runner->stop();
  ASSERT_TRUE(desk.until([&] { return scored(desk); }));
  const int64_t kept = desk.last.scores->cells.front().samples;
  EXPECT_GT(kept, 0);
  EXPECT_LT(kept, 64) << "too fast to be stopped: the test shows nothing";
  desk.runner->score(config);
  ASSERT_TRUE(desk.until([&] { return desk.last.scores->running; }));
  EXPECT_GE(desk.last.scores->cells.front().samples, kept);
  ASSERT_TRUE(desk.until([&] { return scored(desk); }));
  EXPECT_EQ(desk.last.scores->cells.front().samples, 64);
}

TEST(RunnerTasks, TrainingEndsAScoringOfTheWeightsBefore) {
  const RunConfig config = scoring("register", {4096}, 500);
  Desk desk;
  desk.runner->load(small_bytes());
  ASSERT_TRUE(desk.until_measured());
  desk.runner->score(config);
  ASSERT_TRUE(desk.until([&] { return desk.last.scores != nullptr && desk.last.scores->running; }));
  desk.runner->step();
  ASSERT_TRUE(desk.until([&] { return desk.points.size() == 1; }));
  EXPECT_FALSE(desk.last.scores->running);
  EXPECT_EQ(desk.last.scores->step, 0) << "the cells are still those of the weights before";
  ASSERT_TRUE(desk.until_state(RunState::kPaused));
  desk.runner->score(scoring("register", {256}, 2));
  ASSERT_TRUE(desk.until([&] { return desk.last.scores->step == 1 && !desk.last.scores->running; }));
  EXPECT_EQ(desk.last.scores->cells.front().arm, "state-passing");
}

TEST(RunnerTasks, ATaskIsATextToTrainOn) {
  RunConfig config = small_bytes();
  config.task.name = "copying";
  config.task.tokens = 20000;
  config.train.context = 96;
  config.train.steps = 3;
  Desk desk;
  desk.runner->load(config);
  ASSERT_TRUE(desk.until_measured());
  EXPECT_THAT(desk.last.data->name, HasSubstr("copying"));
  desk.runner->run();
  ASSERT_TRUE(desk.until([&] { return desk.points.size() == 3; }));
  const TrainOutcome terminal = train(config, {}, {});
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(desk.points[i].loss, terminal.results.series[0].y[i]);
  // And back to the text.
  desk.runner->load(small_bytes());
  ASSERT_TRUE(desk.until([&] { return desk.last.recipe->task.name.empty(); }));
  ASSERT_TRUE(desk.until_measured());
  EXPECT_THAT(desk.last.data->name, HasSubstr("generated"));
}

TEST(RunnerTasks, WhatATaskCannotBeMadeOfIsASentence) {
  Desk desk;
  desk.runner->load(small_bytes());
  ASSERT_TRUE(desk.until_measured());
  RunConfig config = scoring("passkey", {16}, 2);
  desk.runner->score(config);
  ASSERT_TRUE(desk.until([&] { return desk.last.error.has_value(); }));
  EXPECT_THAT(desk.last.error->message, HasSubstr("16 tokens"));
  EXPECT_EQ(desk.last.state, RunState::kReady);
}

ExperimentPlan two_arms() {
  ExperimentPlan plan;
  plan.arms = {"zero", "tbtt"};
  plan.seeds = 2;
  return plan;
}

RunConfig experiment_on_copying() {
  RunConfig config = scoring("copying", {4, 12}, 3);
  config.task.tokens = 20000;
  config.train.context = 96;
  config.train.steps = 3;
  config.measure.probes = {"perplexity"};
  return config;
}

TEST(TaskExperiment, ScoresTheBaseAndEveryRun) {
  const Experiment result = experiment(experiment_on_copying(), two_arms(), {}, {}).experiment;
  ASSERT_NE(result.base, nullptr);
  EXPECT_EQ(result.base->stage, ArmStage::kDone);
  expect_same_cells(result.base->cells, score(experiment_on_copying(), "base", {}).scores.cells);
  ASSERT_EQ(result.runs.size(), 4U);
  for (const auto& run : result.runs) {
    EXPECT_EQ(run->stage, ArmStage::kDone);
    ASSERT_EQ(run->cells.size(), 4U) << "two lengths, generated and predicted";
    for (const TaskCell& cell : run->cells) {
      EXPECT_EQ(cell.samples, 3);
      EXPECT_EQ(cell.arm, run->arm);
      EXPECT_EQ(cell.seed, run->seed);
    }
  }
}

TEST(TaskExperiment, IsTheSameInTheWindow) {
  Desk desk;
  desk.runner->load(experiment_on_copying());
  ASSERT_TRUE(desk.until_measured());
  desk.runner->experiment(experiment_on_copying(), two_arms());
  ASSERT_TRUE(desk.until([&] {
    const auto& at = desk.last.experiment;
    return at != nullptr && at->base != nullptr && !at->running;
  }));
  const Experiment terminal = experiment(experiment_on_copying(), two_arms(), {}, {}).experiment;
  for (size_t i = 0; i < 4; ++i) {
    expect_same_cells(desk.last.experiment->runs[i]->cells, terminal.runs[i]->cells);
  }
}

// Nothing was trained yet, so there is no checkpoint that all start from.
TEST(TaskExperiment, NewModelsHaveTheWeightsOfTheirSeed) {
  RunConfig config = experiment_on_copying();
  config.model.init = std::string(FARSTATE_GOLDEN_DIR) + "/letters/config.json";
  config.train.steps = 1;
  config.intervention.zero_probability = 0;
  ExperimentPlan plan = two_arms();
  plan.arms = {"zero"};
  const Experiment result = experiment(config, plan, {}, {}).experiment;
  RunConfig second = config;
  second.seed = config.seed + 1;
  const TrainOutcome alone = train(second, {}, {});
  EXPECT_EQ(result.runs[1]->points.front().loss, alone.results.series[0].y.front());
  EXPECT_NE(result.runs[0]->points.front().loss, result.runs[1]->points.front().loss);
  EXPECT_TRUE(result.runs[1]->snapshots.empty() || result.runs[1]->snapshots.front()->step > 0)
      << "the base's curve is of other weights";
}

}  // namespace
}  // namespace farstate
