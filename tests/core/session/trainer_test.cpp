// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/trainer.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/optim/adamw.h>

#include "core/base/error.h"
#include "core/base/stop.h"
#include "core/checkpoint/tensors.h"
#include "tests/support/temp_folder.h"
#include "tests/support/tiny_model.h"
#include "tests/support/words_run.h"

namespace farstate {
namespace {

using testing::bit_equal;
using testing::small_run;
using testing::TempFolder;
using testing::tiny_model;
using testing::words_corpus;

void expect_same_weights(const RecurrentLM& a, const RecurrentLM& b, const std::string& where) {
  for (size_t i = 0; i < a.tensors().size(); ++i) {
    EXPECT_TRUE(bit_equal(a.tensors()[i].tensor, b.tensors()[i].tensor))
        << where << ": " << a.tensors()[i].name;
  }
}

class EveryIntervention : public ::testing::TestWithParam<Intervention> {};

TEST_P(EveryIntervention, SameSeedSameNumbers) {
  const Corpus corpus = words_corpus();
  const auto a = tiny_model();
  const auto b = tiny_model();
  Trainer first(*a, corpus, small_run(GetParam()));
  Trainer second(*b, corpus, small_run(GetParam()));
  for (int i = 0; i < 6; ++i) EXPECT_EQ(first.step().loss, second.step().loss);
  expect_same_weights(*a, *b, "same seed");

  const auto c = tiny_model();
  RunConfig other = small_run(GetParam());
  other.seed = 22;
  // Truncated BPTT reads the text in order whatever the seed, until a row is zeroed.
  if (GetParam() == Intervention::kTbtt) other.intervention.zero_probability = 0.9;
  Trainer third(*c, corpus, other);
  for (int i = 0; i < 6; ++i) third.step();
  EXPECT_FALSE(bit_equal(c->tensors()[0].tensor, a->tensors()[0].tensor));
}

TEST_P(EveryIntervention, ResumeEqualsNoInterruptionBitForBit) {
  const TempFolder folder;
  const Corpus corpus = words_corpus();
  const auto whole = tiny_model();
  Trainer uninterrupted(*whole, corpus, small_run(GetParam()));
  for (int i = 0; i < 12; ++i) uninterrupted.step();

  const auto before = tiny_model();
  Trainer first(*before, corpus, small_run(GetParam()));
  for (int i = 0; i < 5; ++i) first.step();
  first.save(folder.file("run"));

  const auto after = tiny_model(99);  // other weights: all must come from the file
  const TensorTable file = read_safetensors(folder.file("run"));
  Trainer second(*after, corpus, Trainer::saved_config(file));
  second.restore(file);
  EXPECT_EQ(second.steps(), 5);
  for (int i = 0; i < 7; ++i) second.step();
  expect_same_weights(*after, *whole, "resumed");
  ASSERT_EQ(second.points().size(), uninterrupted.points().size());
  for (size_t i = 0; i < second.points().size(); ++i) {
    EXPECT_EQ(second.points()[i].loss, uninterrupted.points()[i].loss) << "step " << i;
  }
}

// A batch of 5 in groups of 2, 2 and 1: a group that counted by itself and not by its rows would
// show. The sums are over the same terms in another order: some rounding errors of 6e-8, times how
// much larger the terms are than their sum.
TEST_P(EveryIntervention, MicroBatchesAddUpToTheBatch) {
  const TempFolder folder;
  const Corpus corpus = words_corpus();
  RunConfig config = small_run(GetParam());
  config.train.batch = 5;
  std::vector<double> losses;
  for (const int64_t micro_batch : {0, 2}) {
    config.train.micro_batch = micro_batch;
    const auto model = tiny_model();
    Trainer trainer(*model, corpus, config);
    losses.push_back(trainer.step().loss);
    trainer.save(folder.file(std::to_string(micro_batch)));
  }
  EXPECT_NEAR(losses[1], losses[0], 1e-6 * losses[0]);
  const TensorTable whole = read_safetensors(folder.file("0"));
  const TensorTable parts = read_safetensors(folder.file("2"));
  for (const std::string& name : whole.names()) {
    // The first moments are the gradients, times 1 - beta1; the policy's memory is the states.
    if (!name.starts_with("adamw.first.") && !name.starts_with("policy.")) continue;
    EXPECT_LT(testing::scaled_error(tensor_of(parts, name), tensor_of(whole, name)), 1e-5) << name;
  }
}

// Four steps, so that states were carried; the micro-batches are of unequal sizes.
TEST_P(EveryIntervention, RecomputedLayersChangeNoBit) {
  const Corpus corpus = words_corpus();
  for (const int64_t micro_batch : {0, 2}) {
    RunConfig config = small_run(GetParam());
    config.train.batch = 5;
    config.train.micro_batch = micro_batch;
    const auto kept = tiny_model();
    Trainer keeps(*kept, corpus, config);
    config.train.recompute = true;
    const auto again = tiny_model();
    Trainer recomputes(*again, corpus, config);
    for (int i = 0; i < 4; ++i) {
      const TrainPoint a = keeps.step();
      const TrainPoint b = recomputes.step();
      EXPECT_EQ(b.loss, a.loss);
      EXPECT_EQ(b.grad_norm, a.grad_norm);
    }
    expect_same_weights(*again, *kept, "recomputed");
  }
}

TEST_P(EveryIntervention, Learns) {
  const Corpus corpus = words_corpus();
  const auto model = Mamba2::initialise(testing::tiny_config(), 5);
  RunConfig config = small_run(GetParam());
  config.intervention.sigma = 0.1;
  Trainer trainer(*model, corpus, config);
  const double start = trainer.step().loss;
  double end = 0;
  for (int i = 0; i < 60; ++i) end = trainer.step().loss;
  EXPECT_NEAR(start, std::log(256.0), 0.5) << "at the start all bytes are about as likely";
  EXPECT_LT(end, 0.5 * start);
}

// The first loss of a trained model is off by what rounding does to the logits; what a model learns is
// not. 2^-8 of a number is lost at each of seven products in a row, whose errors add up in random
// directions: sqrt(7) 2^-8 of logits of about 3 is 0.03, and the mean over 64 losses averages it.
TEST(Training, Bfloat16ProductsComeOutNearFloat32) {
  const Corpus corpus = words_corpus();
  RunConfig config = small_run(Intervention::kStatePassing);
  std::vector<double> first;
  std::vector<double> last;
  for (const char* compute : {"float32", "bfloat16"}) {
    config.train.compute = compute;
    const auto model = tiny_model();
    Trainer trainer(*model, corpus, config);
    first.push_back(trainer.step().loss);
    for (int i = 0; i < 40; ++i) trainer.step();
    last.push_back(trainer.step().loss);
    for (const TensorEntry& entry : model->tensors()) EXPECT_EQ(entry.tensor.scalar_type(), at::kFloat);
  }
  EXPECT_NE(first[1], first[0]);
  EXPECT_NEAR(first[1], first[0], 0.03);
  EXPECT_LT(last[1], 0.5 * first[1]);
  EXPECT_NEAR(last[1], last[0], 0.1 * first[0]);
}

INSTANTIATE_TEST_SUITE_P(All, EveryIntervention,
                         ::testing::ValuesIn(kInterventions),
                         [](const auto& of) {
                           std::string name = to_string(of.param);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// Every law, and every setting that gives a law another memory.
std::vector<InterventionConfig> laws_with_memory() {
  std::vector<InterventionConfig> laws;
  for (const Intervention kind : kInterventions) laws.push_back(small_run(kind).intervention);
  for (const Intervention kind : {Intervention::kFittedNoise, Intervention::kMixture}) {
    InterventionConfig all = small_run(kind).intervention;
    all.fitted_from = "all";
    all.fitted_burn_in = 5;
    laws.push_back(all);
    all.fitted_windows = 7;
    laws.push_back(all);
  }
  InterventionConfig fixed = small_run(Intervention::kCorrelatedNoise).intervention;
  fixed.fitted_windows = 10;
  fixed.fitted_rank = 2;
  laws.push_back(fixed);
  InterventionConfig lanes = small_run(Intervention::kMixture).intervention;
  lanes.mixture = {{"tbtt", 1}, {"correlated-noise", 1}, {"zero", 0.5}};
  laws.push_back(lanes);
  return laws;
}

TEST(Trainer, SixtyStepsEqualTwentyAndForty) {
  const TempFolder folder;
  const Corpus corpus = words_corpus();
  for (const InterventionConfig& law : laws_with_memory()) {
    RunConfig config = small_run(law.kind);
    config.intervention = law;
    config.train.steps = 60;
    const auto whole = tiny_model();
    Trainer uninterrupted(*whole, corpus, config);
    for (int i = 0; i < 60; ++i) uninterrupted.step();
    const auto before = tiny_model();
    Trainer first(*before, corpus, config);
    for (int i = 0; i < 20; ++i) first.step();
    first.save(folder.file("run"));
    const auto after = tiny_model(99);
    const TensorTable file = read_safetensors(folder.file("run"));
    Trainer second(*after, corpus, Trainer::saved_config(file));
    second.restore(file);
    for (int i = 0; i < 40; ++i) second.step();
    expect_same_weights(*after, *whole, second.policy().describe());
    EXPECT_EQ(second.points().back().loss, uninterrupted.points().back().loss);
  }
}

// mean and mean of squares of `states` [R,…] per head, in fp64.
at::Tensor moments_of(const at::Tensor& states) {
  const at::Tensor of_head = states.to(at::kDouble).transpose(0, 1).flatten(1);
  return at::stack({of_head.mean(1), of_head.square().mean(1)});
}

TEST(Trainer, AFixedSetIsReadOnceWithTheWeightsThatARunBeginsWith) {
  const Corpus corpus = words_corpus();
  RunConfig config = small_run(Intervention::kFittedNoise);
  config.intervention.fitted_windows = 7;  // a whole batch of 4, and 3 more
  const auto model = tiny_model();
  Trainer trainer(*model, corpus, config);
  trainer.step();
  const auto fitted = trainer.policy().fitted();
  ASSERT_TRUE(fitted);
  EXPECT_EQ(fitted->observed, 7);
  for (int i = 0; i < 4; ++i) trainer.step();
  EXPECT_TRUE(bit_equal(trainer.policy().fitted()->mean, fitted->mean)) << "frozen";
  EXPECT_TRUE(bit_equal(trainer.policy().fitted()->std, fitted->std)) << "frozen";

  const at::Tensor tokens = at::empty({7, 17}, at::kLong);
  for (int64_t window = 0; window < 7; ++window) {
    draw_windows(corpus, config.seed, window, 1, 16, {tokens[window].data_ptr<int64_t>(), 17},
                 {}, RngStream::kFittedSet);
  }
  const at::NoGradGuard no_grad;
  const ModelState state = tiny_model()->forward(tokens.slice(1, 0, 16), {}, {}).state;
  for (int64_t layer = 0; layer < 2; ++layer) {
    const at::Tensor wanted = moments_of(state.layers[static_cast<size_t>(layer)].recurrent);
    const at::Tensor std = (wanted[1] - wanted[0].square()).sqrt();
    // States that were computed in two batches: some roundings of 6e-8.
    EXPECT_LT(testing::scaled_error(fitted->mean[layer], wanted[0]), 1e-5);
    EXPECT_LT(testing::scaled_error(fitted->std[layer], std), 1e-5);
  }
}

TEST(Trainer, AllStatesPastTheBurnInAreFitted) {
  const Corpus corpus = words_corpus();
  RunConfig config = small_run(Intervention::kFittedNoise);
  config.intervention.fitted_from = "all";
  config.intervention.fitted_burn_in = 5;
  config.train.micro_batch = 3;  // groups of 3 rows and 1
  const auto model = tiny_model();
  Trainer trainer(*model, corpus, config);
  trainer.step();
  const auto fitted = trainer.policy().fitted();
  ASSERT_TRUE(fitted);
  config.train.recompute = true;
  const auto same = tiny_model();
  Trainer recomputing(*same, corpus, config);
  recomputing.step();
  EXPECT_TRUE(bit_equal(recomputing.policy().fitted()->mean, fitted->mean));
  EXPECT_TRUE(bit_equal(recomputing.policy().fitted()->std, fitted->std));
  expect_same_weights(*same, *model, "recomputed");

  const at::Tensor tokens = at::empty({4, 17}, at::kLong);
  draw_windows(corpus, config.seed, 0, 4, 16, {tokens.data_ptr<int64_t>(), 4 * 17});
  const at::NoGradGuard no_grad;
  const auto fresh = tiny_model();
  ModelState state = fresh->zero_state(4);
  std::vector<std::vector<at::Tensor>> states(2);  // by layer, token by token
  for (int64_t t = 0; t < 16; ++t) {
    fresh->step(tokens.select(1, t), state);
    if (t < 5) continue;
    for (size_t layer = 0; layer < 2; ++layer) {
      states[layer].push_back(state.layers[layer].recurrent.clone());
    }
  }
  for (int64_t layer = 0; layer < 2; ++layer) {
    const at::Tensor wanted = moments_of(at::cat(states[static_cast<size_t>(layer)]));
    const at::Tensor std = (wanted[1] - wanted[0].square()).sqrt();
    // Token by token the products round otherwise than over a window: 1e-6 of the state's size.
    EXPECT_LT(testing::scaled_error(fitted->mean[layer], wanted[0]), 1e-4);
    EXPECT_LT(testing::scaled_error(fitted->std[layer], std), 1e-5);
  }
}

TEST(Trainer, ASavedRunSaysWhatItsLawWasFittedTo) {
  const TempFolder folder;
  const Corpus corpus = words_corpus();
  for (const Intervention kind : kInterventions) {
    const auto model = tiny_model();
    Trainer trainer(*model, corpus, small_run(kind));
    for (int i = 0; i < 3; ++i) trainer.step();
    trainer.save(folder.file("run"));
    const auto saved = Trainer::saved_fit(read_safetensors(folder.file("run")), *model);
    const auto fitted = trainer.policy().fitted();
    ASSERT_EQ(saved.has_value(), fitted.has_value()) << to_string(kind);
    if (!saved) continue;
    EXPECT_EQ(saved->law, fitted->law);
    EXPECT_EQ(saved->observed, 3);
    EXPECT_TRUE(bit_equal(saved->mean, fitted->mean));
    EXPECT_TRUE(bit_equal(saved->std, fitted->std));
  }
}

TEST(Trainer, TbttIsStatePassingOnContinuingRows) {
  // A text of period T, so that every window that state passing draws is the one that would
  // continue the row: the two kinds must then agree to the bit.
  std::string text;
  for (int i = 0; i < 200; ++i) text += "abcdefghijklmnop";
  Corpus corpus;
  corpus.name = "periodic";
  corpus.tokens = std::make_shared<ByteTokens>(text);
  corpus.train_end = static_cast<int64_t>(text.size());
  for (int64_t i = 0; i < 200; ++i) corpus.document_starts.push_back(16 * i);
  const auto a = tiny_model();
  const auto b = tiny_model();
  Trainer passing(*a, corpus, small_run(Intervention::kStatePassing));
  Trainer tbtt(*b, corpus, small_run(Intervention::kTbtt));
  for (int i = 0; i < 8; ++i) EXPECT_EQ(passing.step().loss, tbtt.step().loss) << "step " << i;
  expect_same_weights(*a, *b, "state passing on continuing rows");
}

TEST(Trainer, GradientIsThatOfTheMeanLossAlone) {
  // One step by hand: loss over the batch from the policy's initial state, backward, AdamW of
  // LibTorch with the same groups.
  const Corpus corpus = words_corpus();
  RunConfig config = small_run(Intervention::kZero);
  config.train.warmup = 0;
  config.train.clip = 0;
  const auto ours = tiny_model();
  const auto theirs = tiny_model();
  Trainer trainer(*ours, corpus, config);

  std::vector<torch::optim::OptimizerParamGroup> groups;
  for (const TensorEntry& entry : theirs->tensors()) {
    auto options = std::make_unique<torch::optim::AdamWOptions>(config.train.learning_rate);
    options->betas({config.train.beta1, config.train.beta2});
    options->weight_decay(entry.weight_decay ? config.train.weight_decay : 0.0);
    groups.emplace_back(std::vector<at::Tensor>{entry.tensor}, std::move(options));
  }
  torch::optim::AdamW adamw(groups);
  for (int64_t step = 0; step < 3; ++step) {
    std::vector<int64_t> ids(4 * 17);
    draw_windows(corpus, config.seed, step, 4, 16, ids);
    const at::Tensor tokens = at::tensor(ids, at::kLong).view({4, 17});
    const at::Tensor logits = theirs->logits(theirs->forward(tokens.slice(1, 0, 16), {}, {}).hidden);
    const at::Tensor loss = at::cross_entropy_loss(
        logits.reshape({64, 256}), tokens.slice(1, 1, 17).reshape({64}));
    adamw.zero_grad();
    loss.backward();
    adamw.step();
    EXPECT_NEAR(trainer.step().loss, loss.item<double>(), 1e-5);
  }
  for (size_t i = 0; i < ours->tensors().size(); ++i) {
    // An update is about the learning rate, 3e-3, whatever the gradient; Adam divides by the
    // gradient's own size, so the roundings of tiny gradients come out enlarged.
    const at::Tensor difference = ours->tensors()[i].tensor - theirs->tensors()[i].tensor;
    EXPECT_LE(difference.abs().max().item<double>(), 1e-4) << ours->tensors()[i].name;
  }
}

TEST(Trainer, NoWeightDecayWhereTheTableSaysSo) {
  const Corpus corpus = words_corpus();
  RunConfig with = small_run(Intervention::kZero);
  with.train.weight_decay = 0.5;
  RunConfig without = with;
  without.train.weight_decay = 0;
  const auto a = tiny_model();
  const auto b = tiny_model();
  Trainer(*a, corpus, with).step();
  Trainer(*b, corpus, without).step();
  for (size_t i = 0; i < a->tensors().size(); ++i) {
    const TensorEntry& entry = a->tensors()[i];
    EXPECT_EQ(bit_equal(entry.tensor, b->tensors()[i].tensor), !entry.weight_decay) << entry.name;
  }
}

TEST(Trainer, ChangingTheInterventionIsAnEventAndActsAtTheNextStep) {
  const Corpus corpus = words_corpus();
  const auto model = tiny_model();
  Trainer trainer(*model, corpus, small_run(Intervention::kZero));
  trainer.step();
  InterventionConfig noise;
  noise.kind = Intervention::kRandomNoise;
  noise.sigma = 30;
  noise.zero_probability = 0;
  const double calm = trainer.step().loss;
  RunConfig changed = trainer.now();
  changed.intervention = noise;
  trainer.change(changed);
  EXPECT_GT(trainer.step().loss, calm + 0.1);
  ASSERT_EQ(trainer.events().size(), 1U);
  EXPECT_EQ(trainer.events()[0].step, 2);
  EXPECT_THAT(trainer.events()[0].text, ::testing::HasSubstr("random noise, sigma 30"));
  EXPECT_EQ(trainer.now().intervention, noise);
  EXPECT_EQ(trainer.config().intervention.kind, Intervention::kZero);
  EXPECT_EQ(trainer.config().changes.size(), 3U);
}

TEST(Trainer, DivergenceKeepsTheLastGoodWeights) {
  const Corpus corpus = words_corpus();
  const auto model = tiny_model();
  RunConfig config = small_run(Intervention::kRandomNoise);
  config.intervention.sigma = 1e38;  // overflows in the first norm
  config.intervention.zero_probability = 0;
  config.train.most_skips = 0;
  Trainer trainer(*model, corpus, config);
  const auto untouched = tiny_model();
  try {
    trainer.step();
    FAIL() << "a loss that is not finite went unnoticed";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kDiverged);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("diverged at step 1"));
  }
  expect_same_weights(*model, *untouched, "diverged");
  EXPECT_EQ(trainer.steps(), 0);
}

TEST(Trainer, AStopBeforeAStepChangesNothing) {
  const Corpus corpus = words_corpus();
  const auto model = tiny_model();
  Trainer trainer(*model, corpus, small_run(Intervention::kStatePassing));
  std::stop_source source;
  source.request_stop();
  {
    const StopScope scope(source.get_token());
    EXPECT_THROW(trainer.step(), Error);
  }
  const auto other = tiny_model();
  Trainer fresh(*other, corpus, small_run(Intervention::kStatePassing));
  EXPECT_EQ(trainer.step().loss, fresh.step().loss);
}

TEST(Trainer, ScheduleRisesThenFallsToATenth) {
  const Corpus corpus = words_corpus();
  const auto model = tiny_model();
  RunConfig config = small_run(Intervention::kZero);
  config.train.schedule = "cosine";
  config.train.warmup = 3;
  config.train.steps = 13;
  Trainer trainer(*model, corpus, config);
  std::vector<double> rates;
  for (int i = 0; i < 14; ++i) rates.push_back(trainer.step().learning_rate);
  EXPECT_NEAR(rates[0], 3e-3 / 4, 1e-12);
  EXPECT_NEAR(rates[3], 3e-3, 1e-12);
  for (size_t i = 4; i < rates.size(); ++i) EXPECT_LT(rates[i], rates[i - 1]);
  EXPECT_NEAR(rates[13], 3e-4, 1e-12);
}

}  // namespace
}  // namespace farstate
