// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/training_estimate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/base/stop.h"
#include "core/session/jobs.h"
#include "core/session/memory_estimate.h"
#include "core/session/trainer.h"
#include "tests/support/tiny_model.h"

namespace farstate {
namespace {

using testing::bit_equal;
using ::testing::HasSubstr;

RunConfig run() {
  RunConfig config;
  config.intervention.kind = Intervention::kFittedNoise;
  config.train.batch = 4;
  config.train.micro_batch = 2;
  config.train.steps = 10;
  config.measure.length = 256;
  config.measure.sequences = 2;
  return config;
}

TEST(TrainingEstimate, LeavesTheTrainingAsItIs) {
  const RunConfig config = run();
  std::vector<LoadedModel> models;
  std::vector<double> losses;
  for (const bool estimated : {false, true}) {
    LoadedModel loaded = load_model({}, config.seed, {});
    const Corpus corpus = load_corpus(config.data, loaded.info.vocabulary, loaded.tokenizer);
    Trainer trainer(*loaded.model, corpus, config);
    trainer.step();
    if (estimated) estimate_training(loaded, corpus, config, {9, true, true});
    for (const TensorEntry& entry : loaded.model->tensors()) EXPECT_FALSE(entry.tensor.grad().defined());
    for (int i = 0; i < 3; ++i) losses.push_back(trainer.step().loss);
    models.push_back(std::move(loaded));
  }
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(losses[3 + i], losses[i]);
  for (size_t i = 0; i < models[0].model->tensors().size(); ++i) {
    EXPECT_TRUE(bit_equal(models[1].model->tensors()[i].tensor, models[0].model->tensors()[i].tensor));
  }
}

TEST(TrainingEstimate, SaysWhatWasTimedAndWhatFollowsFromIt) {
  RunConfig config = run();
  const TrainingEstimate e = estimate(config, {}, /*measures=*/true);
  EXPECT_TRUE(e.fits);
  EXPECT_GT(e.measured_seconds, 0);
  EXPECT_GT(e.measured_tokens, 0);
  EXPECT_GT(e.seconds_per_step, 0);
  EXPECT_GT(e.seconds_measuring, 0);
  EXPECT_EQ(e.steps, 10);
  EXPECT_DOUBLE_EQ(e.seconds_total, 10 * e.seconds_per_step);
  EXPECT_GE(e.bytes_needed, e.memory.total());
  EXPECT_GE(e.bytes_needed, e.measuring_bytes);
  EXPECT_EQ(estimate(config, {}, false).measuring_bytes, 0);
  config.train.evaluate_every = 5;
  const TrainingEstimate curves = estimate(config, {}, false);
  EXPECT_GT(curves.seconds_total, 10 * curves.seconds_per_step);
}

TEST(TrainingEstimate, WhatDoesNotFitIsNotTimedButAdvisedOn) {
  RunConfig config = run();
  config.train.batch = 1 << 20;
  config.train.context = 1024;
  config.train.micro_batch = 0;
  const TrainingEstimate e = estimate(config, {}, false);
  EXPECT_FALSE(e.fits);
  EXPECT_EQ(e.measured_seconds, 0);
  EXPECT_EQ(e.seconds_per_step, 0);
  EXPECT_FALSE(e.advice.empty());
}

TEST(TrainingEstimate, WarnsOfProductsThatAreSlowHere) {
  RunConfig config = run();
  config.train.compute = "bfloat16";
  const TrainingEstimate e = estimate(config, {}, false);
  EXPECT_EQ(e.notes.empty(), ops::has_bf16_products());
  if (!e.notes.empty()) EXPECT_THAT(e.notes.front(), HasSubstr("no bf16 instructions"));
}

TEST(TrainingEstimate, AStopEndsIt) {
  std::stop_source source;
  source.request_stop();
  const StopScope scope(source.get_token());
  EXPECT_THROW(estimate(run(), {}, false), Error);
}

// Of the shape of mamba2-130m.
ModelMemory shape_130m() {
  Mamba2Config config;
  config.model_dim = 768;
  config.layers = 24;
  config.heads = 24;
  config.head_dim = 64;
  config.state_dim = 128;
  config.vocabulary = 50288;
  const int64_t parameters = 128989632;
  return {mamba2_sizes(config), parameters, 4 * parameters};
}

TEST(TrainingMemory, AdviceIsASettingThatFits) {
  const ModelMemory model = shape_130m();
  TrainConfig train;
  train.context = 2048;
  train.batch = 8;
  constexpr int64_t kGb = 1'000'000'000;
  EXPECT_EQ(training_advice(model, train, 8 * kGb).substr(0, 15), "train.recompute");
  const std::string both = training_advice(model, train, 3 * kGb);
  EXPECT_THAT(both, HasSubstr("train.recompute and train.micro_batch "));
  EXPECT_THAT(training_advice(model, train, kGb), HasSubstr("choose a smaller batch"));
  EXPECT_GT(training_bytes(model, train), 8 * kGb);
  train.recompute = true;
  EXPECT_LE(training_bytes(model, train), 8 * kGb);
  const TrainingMemory parts = training_memory(model, train);
  EXPECT_EQ(parts.moments, 2 * parts.weights);
  EXPECT_EQ(parts.total() - parts.weights, training_bytes(model, train));
}

}  // namespace
}  // namespace farstate
