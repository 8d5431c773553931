// SPDX-License-Identifier: GPL-3.0-or-later
// The interventions as laws of h_{-1}: what holds for all of them, and what for the paper's five.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/interventions/fitted_noise.h"
#include "core/interventions/initial_state_policy.h"
#include "tests/support/tiny_model.h"

namespace farstate {
namespace {

using testing::bit_equal;
using testing::random_state;
using testing::tiny_model;

std::unique_ptr<InitialStatePolicy> policy(const RecurrentLM& model, Intervention kind,
                                           double zero_probability = 0, uint64_t seed = 3) {
  InterventionConfig config;
  config.kind = kind;
  config.sigma = 0.7;
  config.zero_probability = zero_probability;
  config.mixture = {{"fitted-noise", 1}, {"correlated-noise", 1}, {"state-passing", 2}};
  return make_policy(config, model.zero_state(1), seed);
}

bool all_zero(const ModelState& state) {
  for (const LayerState& layer : state.layers) {
    if (layer.recurrent.count_nonzero().item<int64_t>() > 0) return false;
    if (layer.context.count_nonzero().item<int64_t>() > 0) return false;
  }
  return true;
}

TEST(Policies, ZeroStaysZero) {
  const auto model = tiny_model();
  const auto zero = policy(*model, Intervention::kZero);
  zero->observe({random_state(*model, 3)});
  const ModelState state = zero->initial(3, 5);
  EXPECT_EQ(state.batch(), 3);
  EXPECT_TRUE(all_zero(state));
}

TEST(Policies, RandomNoiseHasOneSigmaEverywhere) {
  const auto model = tiny_model();
  const auto noise = policy(*model, Intervention::kRandomNoise);
  constexpr int64_t B = 64;
  const ModelState state = noise->initial(B, 0);
  for (const LayerState& layer : state.layers) {
    const at::Tensor per_head = layer.recurrent.to(at::kDouble).transpose(0, 1).flatten(1);
    const auto n = static_cast<double>(per_head.size(1));  // 7680: five standard errors below
    EXPECT_LE(per_head.mean(1).abs().max().item<double>(), 5 * 0.7 / std::sqrt(n));
    EXPECT_LE((per_head.std(1) - 0.7).abs().max().item<double>(), 5 * 0.7 / std::sqrt(2 * n));
    EXPECT_EQ(layer.context.count_nonzero().item<int64_t>(), 0);
  }
  // Same seed and step: same numbers. Another step or seed: others.
  EXPECT_TRUE(bit_equal(noise->initial(B, 0).layers[1].recurrent, state.layers[1].recurrent));
  EXPECT_FALSE(bit_equal(noise->initial(B, 1).layers[1].recurrent, state.layers[1].recurrent));
  const auto other = policy(*model, Intervention::kRandomNoise, 0, 4);
  EXPECT_FALSE(bit_equal(other->initial(B, 0).layers[1].recurrent, state.layers[1].recurrent));
}

// States whose head h of layer l has mean l + h and standard deviation 1 + h.
ModelState known_state(const RecurrentLM& model, int64_t batch, uint64_t seed) {
  ModelState state = random_state(model, batch, seed);
  for (size_t l = 0; l < state.layers.size(); ++l) {
    for (int64_t h = 0; h < state.layers[l].recurrent.size(1); ++h) {
      state.layers[l].recurrent.select(1, h).mul_(1.0 + static_cast<double>(h)).add_(
          static_cast<double>(l) + static_cast<double>(h));
    }
  }
  return state;
}

TEST(Policies, FittedNoiseFollowsTheFinalStates) {
  const auto model = tiny_model();
  const auto made = policy(*model, Intervention::kFittedNoise);
  auto& fitted = dynamic_cast<FittedNoise&>(*made);
  EXPECT_TRUE(all_zero(fitted.initial(2, 0))) << "nothing was observed yet";

  at::Tensor sum = at::zeros({2, 4}, at::kDouble);
  at::Tensor squares = at::zeros({2, 4}, at::kDouble);
  constexpr int kBatches = 8;  // fewer than 1/(1-momentum): the plain average
  for (int i = 0; i < kBatches; ++i) {
    const ModelState state = known_state(*model, 4, static_cast<uint64_t>(i));
    fitted.observe({state});
    for (int64_t l = 0; l < 2; ++l) {
      const at::Tensor h =
          state.layers[static_cast<size_t>(l)].recurrent.to(at::kDouble).transpose(0, 1).flatten(1);
      sum[l] += h.mean(1) / kBatches;
      squares[l] += h.square().mean(1) / kBatches;
    }
  }
  // fp64 sums of fp32 numbers in two orders.
  EXPECT_LE((fitted.mean() - sum).abs().max().item<double>(), 1e-9);
  EXPECT_LE((fitted.std() - (squares - sum.square()).sqrt()).abs().max().item<double>(), 1e-9);

  const ModelState drawn = fitted.initial(64, 1);
  for (int64_t l = 0; l < 2; ++l) {
    const at::Tensor h =
        drawn.layers[static_cast<size_t>(l)].recurrent.to(at::kDouble).transpose(0, 1).flatten(1);
    const double n = static_cast<double>(h.size(1));
    const at::Tensor error = fitted.std()[l] / std::sqrt(n);
    EXPECT_TRUE(((h.mean(1) - fitted.mean()[l]).abs() <= 5 * error).all().item<bool>());
    EXPECT_TRUE(((h.std(1) - fitted.std()[l]).abs() <= 5 * error).all().item<bool>());
  }
}

TEST(Policies, PassedStatesAreThoseOfTheSameRowWithoutAGraph) {
  const auto model = tiny_model();
  for (const Intervention kind : {Intervention::kStatePassing, Intervention::kTbtt}) {
    const auto passing = policy(*model, kind);
    EXPECT_TRUE(all_zero(passing->initial(3, 0)));
    ModelState final_state = random_state(*model, 3);
    for (LayerState& layer : final_state.layers) layer.recurrent.requires_grad_(true);
    passing->observe({final_state});
    const ModelState state = passing->initial(3, 1);
    for (size_t i = 0; i < state.layers.size(); ++i) {
      EXPECT_TRUE(bit_equal(state.layers[i].recurrent, final_state.layers[i].recurrent));
      EXPECT_TRUE(bit_equal(state.layers[i].context, final_state.layers[i].context));
      EXPECT_FALSE(state.layers[i].recurrent.requires_grad());
      EXPECT_NE(state.layers[i].recurrent.data_ptr(), final_state.layers[i].recurrent.data_ptr());
    }
    EXPECT_TRUE(all_zero(passing->initial(2, 1))) << "a batch of another size begins anew";
    passing->restart({0, 1, 0});
    const ModelState after = passing->initial(3, 2);
    EXPECT_EQ(after.layers[0].recurrent[1].count_nonzero().item<int64_t>(), 0);
    EXPECT_TRUE(bit_equal(after.layers[0].recurrent[2], final_state.layers[0].recurrent[2]));
  }
}

TEST(Policies, ConvolutionContextIsASetting) {
  const auto model = tiny_model();
  InterventionConfig config;
  config.kind = Intervention::kStatePassing;
  config.zero_probability = 0;
  config.pass_conv_context = false;
  const auto passing = make_policy(config, model->zero_state(1), 1);
  passing->observe({random_state(*model, 2)});
  const ModelState state = passing->initial(2, 1);
  EXPECT_GT(state.layers[0].recurrent.count_nonzero().item<int64_t>(), 0);
  EXPECT_EQ(state.layers[0].context.count_nonzero().item<int64_t>(), 0);
}

TEST(Policies, RowsAreZeroedWithTheGivenProbability) {
  const auto model = tiny_model();
  constexpr int64_t B = 400;
  for (const double p : {0.0, 0.25, 1.0}) {
    const auto passing = policy(*model, Intervention::kStatePassing, p);
    passing->observe({random_state(*model, B)});
    const ModelState state = passing->initial(B, 9);
    const at::Tensor zero = state.layers[0].recurrent.flatten(1).abs().sum(1) == 0;
    const double share = zero.to(at::kDouble).mean().item<double>();
    EXPECT_NEAR(share, p, 5 * std::sqrt(p * (1 - p) / B) + 1e-12);
    // A row is zero in all layers and in the context, or in none.
    for (const LayerState& layer : state.layers) {
      EXPECT_TRUE(at::equal(layer.recurrent.flatten(1).abs().sum(1) == 0, zero));
      EXPECT_TRUE(at::equal(layer.context.flatten(1).abs().sum(1) == 0, zero));
    }
  }
}

TEST(Policies, NoGradientPassesTheInitialState) {
  const auto model = tiny_model();
  for (const Intervention kind : kInterventions) {
    const auto law = policy(*model, kind);
    ModelState final_state = random_state(*model, 3);
    for (LayerState& layer : final_state.layers) {
      layer.recurrent = layer.recurrent.requires_grad_(true) * 2;
      layer.context = layer.context.requires_grad_(true) * 2;
    }
    law->observe({final_state});
    for (const LayerState& layer : law->initial(3, 1).layers) {
      EXPECT_FALSE(layer.recurrent.requires_grad()) << to_string(kind);
      EXPECT_FALSE(layer.context.requires_grad()) << to_string(kind);
    }
  }
}

TEST(Policies, EveryLawZeroesTheSameRows) {
  const auto model = tiny_model();
  constexpr int64_t B = 40;
  std::optional<at::Tensor> zero;
  for (const Intervention kind : kInterventions) {
    if (kind == Intervention::kZero) continue;
    const auto law = policy(*model, kind, 0.4);
    law->observe({random_state(*model, B)});
    const at::Tensor rows = law->initial(B, 7).layers[0].recurrent.flatten(1).abs().sum(1) == 0;
    if (zero) {
      EXPECT_TRUE(at::equal(rows, *zero)) << to_string(kind);
    }
    zero = rows;
  }
  EXPECT_GT(zero->sum().item<int64_t>(), 0);
}

TEST(Policies, MemoryRestoresTheLaw) {
  const auto model = tiny_model();
  for (int k = 0; k < kInterventionCount; ++k) {
    const auto kind = static_cast<Intervention>(k);
    const auto first = policy(*model, kind, 0.3);
    first->observe({known_state(*model, 4, 1)});
    first->observe({known_state(*model, 4, 2)});
    const auto second = policy(*model, kind, 0.3);
    second->restore(first->memory());
    const ModelState a = first->initial(4, 2);
    const ModelState b = second->initial(4, 2);
    for (size_t i = 0; i < a.layers.size(); ++i) {
      EXPECT_TRUE(bit_equal(a.layers[i].recurrent, b.layers[i].recurrent)) << to_string(kind);
      EXPECT_TRUE(bit_equal(a.layers[i].context, b.layers[i].context)) << to_string(kind);
    }
  }
}

}  // namespace
}  // namespace farstate
