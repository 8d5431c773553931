// SPDX-License-Identifier: GPL-3.0-or-later
// What changes during a run is part of its recipe, and bad steps are passed over.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.h"
#include "core/base/stop.h"
#include "core/session/trainer.h"
#include "tests/support/temp_folder.h"
#include "tests/support/tiny_model.h"
#include "tests/support/words_run.h"

namespace farstate {
namespace {

using ::testing::HasSubstr;
using testing::bit_equal;
using testing::TempFolder;
using testing::tiny_model;
using testing::words_corpus;

RunConfig small_run(Intervention kind) {
  RunConfig config = testing::small_run(kind);
  config.train.steps = 16;
  return config;
}

// A model with a trainer of its own.
struct Tried {
  explicit Tried(const Corpus& corpus, const RunConfig& config)
      : model(tiny_model()), trainer(*model, corpus, config) {}

  void steps(int count) {
    for (int i = 0; i < count; ++i) trainer.step();
  }
  template <typename Edit>
  void change(Edit&& edit) {
    RunConfig next = trainer.now();
    edit(next);
    trainer.change(next);
  }

  std::unique_ptr<RecurrentLM> model;
  Trainer trainer;
};

void expect_same(const Tried& a, const Tried& b) {
  ASSERT_EQ(a.trainer.steps(), b.trainer.steps());
  for (size_t i = 0; i < a.trainer.points().size(); ++i) {
    const double x = a.trainer.points()[i].loss, y = b.trainer.points()[i].loss;
    EXPECT_TRUE(x == y || (std::isnan(x) && std::isnan(y))) << "step " << i + 1;
  }
  for (size_t i = 0; i < a.model->tensors().size(); ++i) {
    EXPECT_TRUE(bit_equal(a.model->tensors()[i].tensor, b.model->tensors()[i].tensor))
        << a.model->tensors()[i].name;
  }
  ASSERT_EQ(a.trainer.events().size(), b.trainer.events().size());
  for (size_t i = 0; i < a.trainer.events().size(); ++i) {
    EXPECT_EQ(a.trainer.events()[i].step, b.trainer.events()[i].step);
    EXPECT_EQ(a.trainer.events()[i].text, b.trainer.events()[i].text);
  }
}

// A hand on every setting that may change, with second thoughts and a stop between.
void play(Tried& run) {
  run.steps(3);
  run.change([](RunConfig& c) { c.intervention.kind = Intervention::kRandomNoise; });
  run.change([](RunConfig& c) { c.intervention.sigma = 0.4; });
  run.steps(2);
  run.change([](RunConfig& c) { c.intervention.sigma = 0.7; });
  run.change([](RunConfig& c) { c.intervention.zero_probability = 0; });
  run.steps(1);
  run.change([](RunConfig& c) { c.intervention.kind = Intervention::kStatePassing; });
  run.steps(2);
  // Changed and changed back before a step, and tried by a step that was stopped: it has not been.
  run.change([](RunConfig& c) { c.intervention.kind = Intervention::kZero; });
  {
    std::stop_source stop;
    stop.request_stop();
    const StopScope scope(stop.get_token());
    EXPECT_THROW(run.trainer.step(), Error);
  }
  run.change([](RunConfig& c) { c.intervention.kind = Intervention::kStatePassing; });
  run.steps(2);
  run.change([](RunConfig& c) { c.train.learning_rate = 1e-3; });
  run.change([](RunConfig& c) { c.measure.length = 512; });
  run.steps(3);
  run.change([](RunConfig& c) { c.intervention.kind = Intervention::kTbtt; });
  run.steps(3);
}

TEST(RecipeChanges, ReplayingTheRecipeGivesTheRunBitForBit) {
  const Corpus corpus = words_corpus();
  Tried live(corpus, small_run(Intervention::kZero));
  play(live);
  const RunConfig recipe = run_config_from_json(to_json(live.trainer.config()));
  EXPECT_EQ(recipe.intervention.kind, Intervention::kZero) << "as it began";
  Tried replay(corpus, recipe);
  replay.steps(16);
  expect_same(live, replay);

  Tried without(corpus, small_run(Intervention::kZero));
  without.steps(16);
  EXPECT_NE(without.trainer.points().back().loss, live.trainer.points().back().loss);
}

TEST(RecipeChanges, ResumingBetweenChangesGivesTheSame) {
  const Corpus corpus = words_corpus();
  Tried live(corpus, small_run(Intervention::kZero));
  play(live);
  // 3, 5 and 13: saved after the step before a change, which the next step puts into force.
  for (const int at : {1, 3, 5, 6, 9, 13, 14}) {
    const TempFolder folder;
    Tried first(corpus, live.trainer.config());
    first.steps(at);
    first.trainer.save(folder.file("t.safetensors"));
    Tried second(corpus, live.trainer.config());
    second.trainer.restore(read_safetensors(folder.file("t.safetensors")));
    second.steps(16 - at);
    expect_same(live, second);
  }
}

TEST(RecipeChanges, AForkIsTheParentWithAChange) {
  const Corpus corpus = words_corpus();
  for (const Intervention kind : {Intervention::kFittedNoise, Intervention::kStatePassing}) {
    Tried parent(corpus, small_run(kind));
    parent.steps(7);
    Tried fork(corpus, small_run(kind));
    fork.trainer.fork_from(parent.trainer);
    fork.change([](RunConfig& c) { c.intervention.kind = Intervention::kTbtt; });
    fork.steps(5);
    parent.steps(5);  // the fork shares nothing with it
    Tried replay(corpus, fork.trainer.config());
    replay.steps(12);
    expect_same(fork, replay);
    Tried alone(corpus, small_run(kind));
    alone.steps(12);
    expect_same(parent, alone);
  }
}

TEST(RecipeChanges, ALongerCosineIsAChangeAndALongerConstantIsNot) {
  const Corpus corpus = words_corpus();
  for (const char* schedule : {"constant", "cosine"}) {
    RunConfig config = small_run(Intervention::kZero);
    config.train.schedule = schedule;
    config.train.steps = 6;
    Tried live(corpus, config);
    live.steps(4);
    live.trainer.set_planned_steps(12);
    live.steps(8);
    EXPECT_EQ(live.trainer.planned_steps(), 12);
    EXPECT_EQ(live.trainer.config().changes.size(), schedule == std::string("cosine") ? 1U : 0U);
    Tried replay(corpus, live.trainer.config());
    replay.steps(12);
    expect_same(live, replay);
  }
}

TEST(RecipeChanges, WhatARunHangsOnCantChange) {
  const Corpus corpus = words_corpus();
  Tried run(corpus, small_run(Intervention::kZero));
  run.steps(2);
  const RunConfig before = run.trainer.config();
  try {
    run.change([](RunConfig& c) { c.train.context = 8; });
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("\"train.context\" can't change while a run goes on"));
  }
  EXPECT_EQ(run.trainer.config(), before);
}

// sigma 1e38 overflows in the first norm: that step's loss is not finite.
void overflow(RunConfig& c) {
  c.intervention.kind = Intervention::kRandomNoise;
  c.intervention.zero_probability = 0;
  c.intervention.sigma = 1e38;
}

TEST(BadSteps, AreCountedAndChangeNothing) {
  const Corpus corpus = words_corpus();
  Tried run(corpus, small_run(Intervention::kZero));
  run.steps(3);
  std::vector<at::Tensor> before;
  for (const TensorEntry& entry : run.model->tensors()) before.push_back(entry.tensor.clone());
  run.change(overflow);
  const TrainPoint point = run.trainer.step();
  EXPECT_TRUE(std::isnan(point.loss));
  EXPECT_EQ(run.trainer.steps(), 4);
  for (size_t i = 0; i < before.size(); ++i) {
    EXPECT_TRUE(bit_equal(before[i], run.model->tensors()[i].tensor));
  }
  ASSERT_EQ(run.trainer.events().size(), 2U);
  EXPECT_THAT(run.trainer.events()[1].text, HasSubstr("step 4 was passed over: the loss is"));
  EXPECT_FALSE(run.trainer.healthy());
  run.change([](RunConfig& c) { c.intervention.sigma = 0.1; });
  EXPECT_TRUE(std::isfinite(run.trainer.step().loss));
  EXPECT_TRUE(run.trainer.healthy());

  const TempFolder folder;
  run.trainer.save(folder.file("t.safetensors"));
  Tried resumed(corpus, run.trainer.config());
  resumed.trainer.restore(read_safetensors(folder.file("t.safetensors")));
  run.steps(3);
  resumed.steps(3);
  expect_same(run, resumed);
}

TEST(BadSteps, TooManyInARowEndTheRun) {
  const Corpus corpus = words_corpus();
  RunConfig config = small_run(Intervention::kZero);
  overflow(config);
  config.train.most_skips = 2;
  Tried run(corpus, config);
  run.steps(2);
  // The count survives a save: the run ends where it would have ended.
  const TempFolder folder;
  run.trainer.save(folder.file("t.safetensors"));
  Tried resumed(corpus, config);
  resumed.trainer.restore(read_safetensors(folder.file("t.safetensors")));
  for (Tried* each : {&run, &resumed}) {
    try {
      each->trainer.step();
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kDiverged);
      EXPECT_THAT(error.what(), HasSubstr("at step 3: the loss is"));
      EXPECT_THAT(error.what(), HasSubstr("after 2 steps that were passed over"));
    }
    EXPECT_EQ(each->trainer.steps(), 2);
  }
}

TEST(BadSteps, ALossThatRisesForGoodEndsTheRun) {
  const Corpus corpus = words_corpus();
  RunConfig config = small_run(Intervention::kZero);
  config.train.divergence = 2;
  Tried run(corpus, config);
  run.steps(30);
  EXPECT_TRUE(run.trainer.healthy());
  run.change([](RunConfig& c) { c.train.learning_rate = 0.5; });
  bool was_ill = false;
  try {
    for (int i = 0; i < 200; ++i) {
      run.trainer.step();
      was_ill = was_ill || !run.trainer.healthy();
    }
    FAIL() << "a rate of 0.5 did no harm";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kDiverged);
    EXPECT_THAT(error.what(), HasSubstr("nats above"));
  }
  EXPECT_TRUE(was_ill) << "saves must have ceased before the end";
}

}  // namespace
}  // namespace farstate
