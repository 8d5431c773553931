// SPDX-License-Identifier: GPL-3.0-or-later
// What must hold for any recurrent model, whatever its weights.
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "core/models/unroll.h"
#include "tests/support/tiny_model.h"

namespace farstate {
namespace {

using testing::bit_equal;
using testing::random_state;
using testing::random_tokens;
using testing::scaled_error;
using testing::tiny_config;
using testing::tiny_model;

// Two paths to the same fp32 number differ by the order of their sums: some 1e2 roundings of
// 2^-24 per layer, amplified by the norms; measured up to 6e-7.
constexpr double kReorderBound = 5e-6;

at::Tensor read_in_pieces(const RecurrentLM& model, const at::Tensor& tokens,
                             const ModelState& first, int64_t segment, ModelState& last) {
  const at::NoGradGuard no_grad;
  std::vector<at::Tensor> hidden;
  last = unroll(model, tokens, first, {.segment = segment, .stat_positions = {}},
                [&](const UnrollSegment& s) { hidden.push_back(s.result.hidden); });
  return at::cat(hidden, 1);
}

void expect_states_close(const ModelState& a, const ModelState& b) {
  for (size_t i = 0; i < a.layers.size(); ++i) {
    EXPECT_LE(scaled_error(a.layers[i].recurrent, b.layers[i].recurrent), kReorderBound);
    EXPECT_LE(scaled_error(a.layers[i].context, b.layers[i].context), kReorderBound);
  }
}

TEST(Mamba2, SplitAnywhereEqualsWhole) {
  const auto model = tiny_model();
  constexpr int64_t T = 67;
  const at::Tensor tokens = random_tokens(2, T, 256);
  const ModelState first = random_state(*model, 2);
  const at::NoGradGuard no_grad;
  const ForwardResult whole = model->forward(tokens, first, {});
  for (const int64_t segment : {1, 2, 3, 4, 5, 16, 33, 66, 67, 100}) {
    ModelState last;
    const at::Tensor pieces = read_in_pieces(*model, tokens, first, segment, last);
    EXPECT_LE(scaled_error(pieces, whole.hidden), kReorderBound) << "segment " << segment;
    expect_states_close(last, whole.state);
  }
}

// A model whose matrices are kept in bfloat16 computes what one in float32 with the same values
// does; its state and everything that makes the decay stay float32.
TEST(Mamba2, Bfloat16MatricesAreOnlyAFormOfStorage) {
  const at::NoGradGuard no_grad;
  const auto wide = tiny_model();
  const auto narrow = Mamba2::allocate(wide->config(), at::kBFloat16);
  for (size_t i = 0; i < wide->tensors().size(); ++i) {
    const TensorEntry& from = wide->tensors()[i];
    const TensorEntry& to = narrow->tensors()[i];
    EXPECT_EQ(to.tensor.scalar_type(), to.matrix ? at::kBFloat16 : at::kFloat) << to.name;
    to.tensor.copy_(from.tensor);
    from.tensor.copy_(to.tensor);  // rounded
  }
  EXPECT_FALSE(narrow->trainable());
  const at::Tensor tokens = random_tokens(2, 37, 256);
  const ModelState first = random_state(*wide, 2);
  const ForwardResult a = wide->forward(tokens, first, {});
  const ForwardResult b = narrow->forward(tokens, first, {});
  EXPECT_LE(scaled_error(b.hidden, a.hidden), kReorderBound);
  EXPECT_LE(scaled_error(narrow->logits(b.hidden), wide->logits(a.hidden)), kReorderBound);
  expect_states_close(b.state, a.state);
  EXPECT_EQ(b.state.layers[0].recurrent.scalar_type(), at::kFloat);
  ModelState stepped = first.clone();
  at::Tensor hidden;
  for (int64_t t = 0; t < tokens.size(1); ++t) hidden = narrow->step(tokens.select(1, t), stepped);
  EXPECT_LE(scaled_error(hidden, a.hidden.select(1, -1)), kReorderBound);
}

TEST(Mamba2, DecodeEqualsForward) {
  Mamba2Config config = tiny_config();
  // Decoding must clamp dt as the forward pass does; elsewhere it was forgotten.
  config.dt_min = 0.02;
  config.dt_max = 0.3;
  const auto model = tiny_model(5, config);
  constexpr int64_t T = 21;
  const at::Tensor tokens = random_tokens(3, T, 256);
  const at::NoGradGuard no_grad;
  const ForwardResult whole = model->forward(tokens, {}, {});
  ModelState state = model->zero_state(3);
  for (int64_t t = 0; t < T; ++t) {
    const at::Tensor hidden = model->step(tokens.select(1, t), state);
    EXPECT_LE(scaled_error(hidden, whole.hidden.select(1, t)), kReorderBound) << "position " << t;
  }
  expect_states_close(state, whole.state);
}

TEST(Mamba2, LaterTokensNeverChangeEarlierOutputs) {
  const auto model = tiny_model();
  constexpr int64_t T = 50;
  const at::NoGradGuard no_grad;
  const at::Tensor tokens = random_tokens(1, T, 256);
  const at::Tensor hidden = model->forward(tokens, {}, {}).hidden;
  for (const int64_t changed : {1, 16, 17, 48}) {
    at::Tensor other = tokens.clone();
    other[0][changed] = (other[0][changed] + 1) % 256;
    const at::Tensor after = model->forward(other, {}, {}).hidden;
    EXPECT_TRUE(bit_equal(after.slice(1, 0, changed), hidden.slice(1, 0, changed)));
    EXPECT_FALSE(bit_equal(after.slice(1, changed, changed + 1),
                           hidden.slice(1, changed, changed + 1)));
  }
}

TEST(Mamba2, BatchOrderDoesNotMatter) {
  const auto model = tiny_model();
  const at::NoGradGuard no_grad;
  const at::Tensor tokens = random_tokens(4, 30, 256);
  const at::Tensor order = at::tensor({2, 0, 3, 1}, at::kLong);
  const ForwardResult straight = model->forward(tokens, {}, {});
  const ForwardResult shuffled = model->forward(tokens.index_select(0, order), {}, {});
  EXPECT_TRUE(bit_equal(shuffled.hidden, straight.hidden.index_select(0, order)));
  for (size_t i = 0; i < straight.state.layers.size(); ++i) {
    EXPECT_TRUE(bit_equal(shuffled.state.layers[i].recurrent,
                          straight.state.layers[i].recurrent.index_select(0, order)));
  }
}

TEST(Mamba2, ZeroStateEqualsNoState) {
  const auto model = tiny_model();
  const at::NoGradGuard no_grad;
  const at::Tensor tokens = random_tokens(2, 20, 256);
  EXPECT_TRUE(bit_equal(model->forward(tokens, model->zero_state(2), {}).hidden,
                        model->forward(tokens, {}, {}).hidden));
}

// Two states that start apart in one layer read the same there, since the layers below it agree:
// they stay apart by the product of the decays alone. So the decays can be read off the states.
TEST(Mamba2, DynamicsAreTheDecaysThatTheStatesShow) {
  Mamba2Config config = tiny_config();
  config.dt_min = 0.008;
  config.dt_max = 0.05;
  const auto model = tiny_model(5, config);
  const at::NoGradGuard no_grad;
  constexpr int64_t T = 20;
  const at::Tensor tokens = random_tokens(2, T, 256);
  ForwardOptions options;
  options.dynamics = true;
  EXPECT_TRUE(model->forward(tokens, {}, {}).dynamics.empty());
  for (size_t layer = 0; layer < 2; ++layer) {
    ModelState apart = model->zero_state(2);
    apart.layers[layer].recurrent.fill_(64);
    const ForwardResult a = model->forward(tokens, apart, options);
    const ForwardResult b = model->forward(tokens, {}, options);
    const LayerDynamics& dynamics = b.dynamics[layer];
    EXPECT_TRUE(bit_equal(a.dynamics[layer].dt, dynamics.dt));
    EXPECT_GE(dynamics.dt.min().item<float>(), 0.008F);
    EXPECT_LE(dynamics.dt.max().item<float>(), 0.05F);
    const at::Tensor left = (a.state.layers[layer].recurrent.to(at::kDouble) -
                             b.state.layers[layer].recurrent.to(at::kDouble)) /
                            64;  // [B,H,P,N]
    const at::Tensor decays = dynamics.log_decay.to(at::kDouble).sum(1).exp();  // [B,H]
    EXPECT_LT(decays.max().item<double>(), 0.95);
    EXPECT_LE(scaled_error(left, decays.unsqueeze(-1).unsqueeze(-1).expand_as(left)), 2 * kReorderBound);
  }
}

TEST(Mamba2, StateStatisticsAreThoseOfTheState) {
  const auto model = tiny_model();
  const at::NoGradGuard no_grad;
  const at::Tensor tokens = random_tokens(2, 30, 256);
  ForwardOptions options;
  options.stat_positions = {0, 7, 29};
  const ForwardResult all = model->forward(tokens, {}, options);
  for (int64_t k = 0; k < 3; ++k) {
    const int64_t position = options.stat_positions[static_cast<size_t>(k)];
    const ModelState state = model->forward(tokens.slice(1, 0, position + 1), {}, {}).state;
    for (size_t i = 0; i < state.layers.size(); ++i) {
      const at::Tensor h = state.layers[i].recurrent.to(at::kDouble).flatten(2);  // [B,H,P*N]
      const at::Tensor stats = all.stats[i].select(1, k);                             // [B,H,4]
      // Sums of 120 fp32 numbers, gathered in double.
      EXPECT_LE((stats.select(-1, 0) - h.sum(-1)).abs().max().item<double>(), 1e-5);
      EXPECT_LE(scaled_error(stats.select(-1, 1), h.square().sum(-1)), 1e-5);
      EXPECT_LE(scaled_error(stats.select(-1, 2), h.abs().amax(-1)), 1e-5);
      EXPECT_EQ(stats.select(-1, 3).sum().item<double>(), 0.0);
    }
  }
}

// Loss, state and the gradients of weights, of the initial state, of what is read.
struct Gradients {
  at::Tensor loss;
  ModelState state;
  std::vector<at::Tensor> of;
};

Gradients gradients_of(const RecurrentLM& model, bool recompute, bool with_state) {
  const at::Tensor tokens = random_tokens(3, 17, 256);
  std::vector<at::Tensor> wanted;
  for (const TensorEntry& entry : model.tensors()) wanted.push_back(entry.tensor);
  ForwardOptions options;
  options.recompute = recompute;
  options.embedded = model.embed(tokens).detach().requires_grad_(true);
  wanted.push_back(options.embedded);
  ModelState first = with_state ? testing::random_state(model, 3) : ModelState{};
  for (LayerState& layer : first.layers) {
    wanted.push_back(layer.recurrent.requires_grad_(true));
    wanted.push_back(layer.context.requires_grad_(true));
  }
  ForwardResult result = model.forward(tokens, first, options);
  // The state at the end is read as well, in one layer both parts and in the other one.
  const at::Tensor loss = nll(model, result.hidden.flatten(0, 1), tokens.reshape({-1})).mean() +
                          result.state.layers[0].recurrent.square().sum() +
                          result.state.layers[1].recurrent.sum() +
                          result.state.layers[0].context.square().sum();
  return {loss.detach(), result.state.detach(),
          torch::autograd::grad({loss}, wanted, {}, false, false, /*allow_unused=*/true)};
}

TEST(Mamba2, RecomputedLayersGiveTheSameGradientsToTheBit) {
  const auto model = tiny_model();  // of two groups of heads
  for (const bool with_state : {false, true}) {
    const Gradients kept = gradients_of(*model, false, with_state);
    const Gradients again = gradients_of(*model, true, with_state);
    EXPECT_TRUE(bit_equal(again.loss, kept.loss));
    for (size_t i = 0; i < kept.state.layers.size(); ++i) {
      EXPECT_TRUE(bit_equal(again.state.layers[i].recurrent, kept.state.layers[i].recurrent));
      EXPECT_TRUE(bit_equal(again.state.layers[i].context, kept.state.layers[i].context));
    }
    for (size_t i = 0; i < kept.of.size(); ++i) {
      ASSERT_EQ(again.of[i].defined(), kept.of[i].defined()) << i;
      if (kept.of[i].defined()) EXPECT_TRUE(bit_equal(again.of[i], kept.of[i])) << i;
    }
  }
}

TEST(Mamba2, RecomputationHidesNothingThatIsAskedFor) {
  const auto model = tiny_model();
  ForwardOptions options;
  options.recompute = true;
  options.dynamics = true;
  options.stat_positions = {3};
  const ForwardResult result = model->forward(random_tokens(1, 9, 256), {}, options);
  EXPECT_EQ(result.dynamics.size(), 2U);
  EXPECT_TRUE(result.stats[1].defined());
}

TEST(Mamba2, WeightsThatChangeAreUsedAtOnce) {
  // Elsewhere -exp(A_log) was cached, and fine-tuning then evaluating gave stale numbers.
  const auto model = tiny_model();
  const at::NoGradGuard no_grad;
  const at::Tensor tokens = random_tokens(1, 12, 256);
  const at::Tensor before = model->forward(tokens, {}, {}).hidden;
  for (const TensorEntry& entry : model->tensors()) {
    if (entry.name.ends_with("A_log")) entry.tensor.add_(1.0);
  }
  EXPECT_FALSE(bit_equal(model->forward(tokens, {}, {}).hidden, before));
}

TEST(Mamba2, TableNamesEveryWeightOnceAndDecaysOnlyMatrices) {
  const auto model = tiny_model();
  std::set<std::string> names;
  for (const TensorEntry& entry : model->tensors()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_EQ(entry.tensor.sizes().vec(), entry.shape) << entry.name;
    EXPECT_TRUE(entry.tensor.requires_grad()) << entry.name;
    const bool vector = entry.shape.size() == 1;  // A_log, dt_bias, D, norms, biases
    EXPECT_EQ(entry.weight_decay, !vector) << entry.name;
  }
  EXPECT_EQ(names.size(), 1 + 2 * 9 + 1);
}

TEST(Mamba2, InitialisationFollowsTheReference) {
  Mamba2Config config = tiny_config();
  config.heads = 64;
  config.model_dim = 256;
  const auto model = Mamba2::initialise(config, 11);
  for (const TensorEntry& entry : model->tensors()) {
    const at::Tensor t = entry.tensor.detach();
    const double max = t.abs().max().item<double>();
    if (entry.name.ends_with("A_log")) {
      EXPECT_GE(t.min().item<double>(), 0.0);
      EXPECT_LE(max, std::log(16.0) + 1e-6);
    } else if (entry.name.ends_with("dt_bias")) {
      const at::Tensor dt = at::softplus(t);
      EXPECT_GE(dt.min().item<double>(), 0.99e-3);
      EXPECT_LE(dt.max().item<double>(), 0.101);
    } else if (entry.name.ends_with("out_proj.weight")) {
      const double bound = 1.0 / std::sqrt(64.0 * 12.0) / std::sqrt(2.0);
      EXPECT_LE(max, bound);
      EXPECT_GE(max, 0.95 * bound);
    } else if (entry.name.ends_with("embeddings.weight")) {
      EXPECT_NEAR(t.std().item<double>(), 0.02, 0.001);
    } else if (entry.name.ends_with("norm.weight") || entry.name.ends_with("mixer.D")) {
      EXPECT_TRUE(at::equal(t, at::ones_like(t))) << entry.name;
    }
  }
  const auto again = Mamba2::initialise(config, 11);
  const auto other = Mamba2::initialise(config, 12);
  for (size_t i = 0; i < model->tensors().size(); ++i) {
    EXPECT_TRUE(bit_equal(model->tensors()[i].tensor, again->tensors()[i].tensor));
  }
  EXPECT_FALSE(bit_equal(model->tensors()[0].tensor, other->tensors()[0].tensor));
}

}  // namespace
}  // namespace farstate
