// SPDX-License-Identifier: GPL-3.0-or-later
// Training that counts the loss of some tokens alone.
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/models/unroll.h"
#include "core/session/batch_gradients.h"
#include "core/session/trainer.h"
#include "tests/support/tiny_model.h"
#include "tests/support/words_run.h"

namespace farstate {
namespace {

using ::testing::HasSubstr;
using testing::random_tokens;
using testing::scaled_error;
using testing::small_run;
using testing::tiny_model;
using testing::words_corpus;

// A batch whose rows count 0, 1, 5 and all of their 9 targets.
Batch uneven_batch() {
  Batch batch{random_tokens(4, 10, 256), at::zeros({4, 9}, at::kBool)};
  batch.counted[1][8] = true;
  batch.counted[2].slice(0, 2, 7).fill_(true);
  batch.counted[3].fill_(true);
  return batch;
}

std::vector<at::Tensor> gradients(const RecurrentLM& model) {
  std::vector<at::Tensor> all;
  for (const TensorEntry& entry : model.tensors()) all.push_back(entry.tensor.grad().clone());
  drop_gradients(model);
  return all;
}

TEST(CountedTargets, TheLossIsTheMeanOverThem) {
  const auto model = tiny_model();
  const Batch batch = uneven_batch();
  const at::Tensor hidden = model->forward(batch.tokens.slice(1, 0, 9), {}, {}).hidden;
  const at::Tensor all =
      nll(*model, hidden.flatten(0, 1), batch.tokens.slice(1, 1).reshape({-1}));
  const at::Tensor wanted = (all * batch.counted.flatten()).sum() / 15;
  wanted.backward();
  const std::vector<at::Tensor> reference = gradients(*model);

  for (const int64_t micro_batch : {0, 1, 3}) {
    TrainConfig config;
    config.batch = 4;
    config.context = 9;
    config.micro_batch = micro_batch;
    const BatchPass pass = add_gradients(*model, batch, {}, config);
    EXPECT_NEAR(pass.loss, wanted.item<double>(), 1e-5) << "groups of " << micro_batch;
    EXPECT_EQ(pass.final_state.batch(), 4) << "also of rows that count nothing";
    const std::vector<at::Tensor> found = gradients(*model);
    for (size_t i = 0; i < found.size(); ++i) {
      // The same terms in another order: some rounding errors of 6e-8.
      EXPECT_LT(scaled_error(found[i], reference[i]), 1e-5) << model->tensors()[i].name;
    }
  }
}

TEST(CountedTargets, NoneAtAllIsRefused) {
  const auto model = tiny_model();
  Batch batch = uneven_batch();
  batch.counted.zero_();
  try {
    add_gradients(*model, batch, {}, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    EXPECT_THAT(error.what(), HasSubstr("counts as an answer"));
  }
}

// Only tokens that are a space count: where they are drawn, by windows and by lanes.
TEST(CountedTargets, FollowTheTextWhereverAWindowBegins) {
  Corpus corpus = words_corpus();
  std::vector<int64_t> text(static_cast<size_t>(corpus.tokens->size()));
  corpus.tokens->read(0, text);
  for (const int64_t id : text) corpus.counted.push_back(id == ' ' ? 1 : 0);
  constexpr int64_t kBatch = 3, kContext = 16;
  std::vector<int64_t> tokens(kBatch * (kContext + 1));
  std::vector<uint8_t> counted(kBatch * kContext), restarts(kBatch);
  const auto check = [&] {
    for (int64_t row = 0; row < kBatch; ++row) {
      for (int64_t t = 0; t < kContext; ++t) {
        const int64_t target = tokens[static_cast<size_t>(row * (kContext + 1) + t + 1)];
        EXPECT_EQ(counted[static_cast<size_t>(row * kContext + t)], target == ' ' ? 1 : 0);
      }
    }
  };
  for (int64_t step = 0; step < 20; ++step) {
    draw_windows(corpus, 3, step, kBatch, kContext, tokens, counted);
    check();
    draw_lanes(corpus, step, kBatch, kContext, tokens, restarts, counted);
    check();
  }
  corpus.counted.clear();
  draw_windows(corpus, 3, 0, kBatch, kContext, tokens, counted);
  EXPECT_THAT(counted, ::testing::Each(1)) << "a text without marks counts everything";
}

// What does not count is not learnt: to this training every token is a t.
TEST(CountedTargets, AreWhatTrainingLearns) {
  Corpus corpus = words_corpus();
  std::vector<int64_t> text(static_cast<size_t>(corpus.tokens->size()));
  corpus.tokens->read(0, text);
  for (const int64_t id : text) corpus.counted.push_back(id == 't' ? 1 : 0);
  for (const Intervention law : {Intervention::kZero, Intervention::kStatePassing, Intervention::kTbtt}) {
    const auto model = Mamba2::initialise(testing::tiny_config(), 5);
    RunConfig config = small_run(law);
    config.train.steps = 40;
    Trainer trainer(*model, corpus, config);
    double last = 0;
    for (int i = 0; i < 40; ++i) last = trainer.step().loss;
    EXPECT_LT(last, 0.1) << to_string(law) << ": every counted token is a t";
    const at::NoGradGuard no_grad;
    const at::Tensor tokens = at::full({1, 1}, ' ', at::kLong);
    const at::Tensor hidden = model->forward(tokens, {}, {}).hidden;
    EXPECT_EQ(model->logits(hidden)[0][0].argmax().item<int64_t>(), 't') << to_string(law);
  }
}

}  // namespace
}  // namespace farstate
