// SPDX-License-Identifier: GPL-3.0-or-later
// A mixture of laws: who draws which, and that each law is what it would be alone.
#include "core/interventions/mixture.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.h"
#include "tests/support/tiny_model.h"

namespace farstate {
namespace {

using testing::bit_equal;
using testing::random_state;
using testing::tiny_model;

using Weights = std::map<std::string, double>;

InterventionConfig mixture_of(const Weights& weights, double zero_probability = 0) {
  InterventionConfig config;
  config.kind = Intervention::kMixture;
  config.zero_probability = zero_probability;
  config.mixture = weights;
  return config;
}

TEST(Mixture, DrawsLawsByTheirWeights) {
  const auto model = tiny_model();
  const Weights weights = {{"zero", 1}, {"random-noise", 2}, {"state-passing", 5}, {"tbtt", 0}};
  const Mixture mixture(mixture_of(weights), model->zero_state(1), 3);
  constexpr int64_t B = 32, kSteps = 200;
  std::map<Intervention, double> counts;
  for (int64_t step = 0; step < kSteps; ++step) {
    const std::vector<Intervention> laws = mixture.laws_of_rows(B, step);
    EXPECT_EQ(laws, mixture.laws_of_rows(B, step));
    for (const Intervention law : laws) ++counts[law];
  }
  constexpr double n = B * kSteps;
  for (const auto& [name, weight] : weights) {
    const double p = weight / 8;
    EXPECT_NEAR(counts[intervention_from_string(name)] / n, p, 5 * std::sqrt(p * (1 - p) / n));
  }
  EXPECT_NE(mixture.laws_of_rows(B, 0), mixture.laws_of_rows(B, 1));
}

TEST(Mixture, ARowIsWhatItsLawAloneWouldMakeOfIt) {
  const auto model = tiny_model();
  const Weights weights = {{"zero", 1},          {"random-noise", 1},     {"fitted-noise", 1},
                           {"state-passing", 1}, {"correlated-noise", 1}};
  Mixture mixture(mixture_of(weights), model->zero_state(1), 3);
  constexpr int64_t B = 60;
  std::map<Intervention, ModelState> alone;
  for (const auto& [name, weight] : weights) {
    InterventionConfig config = mixture_of({});
    config.kind = intervention_from_string(name);
    const auto law = make_policy(config, model->zero_state(1), 3);
    for (const uint64_t seed : {1, 2}) law->observe({random_state(*model, B, seed)});
    alone[config.kind] = law->initial(B, 9);
  }
  for (const uint64_t seed : {1, 2}) mixture.observe({random_state(*model, B, seed)});
  const ModelState state = mixture.initial(B, 9);
  const std::vector<Intervention> laws = mixture.laws_of_rows(B, 9);
  for (int64_t row = 0; row < B; ++row) {
    const ModelState& wanted = alone.at(laws[static_cast<size_t>(row)]);
    for (size_t i = 0; i < state.layers.size(); ++i) {
      EXPECT_TRUE(bit_equal(state.layers[i].recurrent[row], wanted.layers[i].recurrent[row]));
      EXPECT_TRUE(bit_equal(state.layers[i].context[row], wanted.layers[i].context[row]));
    }
  }
}

TEST(Mixture, ZeroProbabilityActsOnTopAndOnce) {
  const auto model = tiny_model();
  constexpr double kZero = 0.3;
  Mixture mixture(mixture_of({{"random-noise", 1}, {"state-passing", 1}}, kZero),
                  model->zero_state(1), 3);
  constexpr int64_t B = 1000;
  mixture.observe({random_state(*model, B)});
  const at::Tensor zero = mixture.initial(B, 4).layers[0].recurrent.flatten(1).abs().sum(1) == 0;
  EXPECT_NEAR(zero.to(at::kDouble).mean().item<double>(), kZero,
              5 * std::sqrt(kZero * (1 - kZero) / B));
}

TEST(Mixture, RestartReachesTheLawThatCarriesOn) {
  const auto model = tiny_model();
  Mixture mixture(mixture_of({{"tbtt", 1}}), model->zero_state(1), 3);
  mixture.observe({random_state(*model, 3)});
  mixture.restart({0, 1, 0});
  const ModelState state = mixture.initial(3, 1);
  EXPECT_EQ(state.layers[0].recurrent[1].count_nonzero().item<int64_t>(), 0);
  EXPECT_GT(state.layers[0].recurrent[0].count_nonzero().item<int64_t>(), 0);
}

TEST(Mixture, AnotherWeightKeepsWhatTheLawsRemember) {
  const auto model = tiny_model();
  Mixture before(mixture_of({{"fitted-noise", 1}, {"state-passing", 1}}), model->zero_state(1), 3);
  before.observe({random_state(*model, 4)});
  Mixture after(mixture_of({{"fitted-noise", 9}, {"correlated-noise", 1}}), model->zero_state(1), 3);
  after.restore(before.memory());
  ASSERT_TRUE(after.fitted());
  EXPECT_TRUE(bit_equal(after.fitted()->mean, before.fitted()->mean));
  EXPECT_FALSE(after.fitted_anew());
}

// A law that is new in the mixture reads the fixed set while the others wait.
TEST(Mixture, EveryLawReadsTheFixedSet) {
  const auto model = tiny_model();
  InterventionConfig config = mixture_of({{"fitted-noise", 1}});
  config.fitted_windows = 4;
  Mixture before(config, model->zero_state(1), 3);
  before.read({random_state(*model, 4)});
  config.mixture["correlated-noise"] = 1;
  Mixture after(config, model->zero_state(1), 3);
  after.restore(before.memory());
  EXPECT_EQ(after.fixed_set().next, 0);
  after.read({random_state(*model, 4)});
  EXPECT_TRUE(after.fixed_set().whole());
  EXPECT_TRUE(bit_equal(after.fitted()->mean, before.fitted()->mean)) << "read once alone";
}

TEST(Mixture, OfNothingIsRefused) {
  const auto model = tiny_model();
  EXPECT_THROW(Mixture(mixture_of({{"zero", 0}}), model->zero_state(1), 3), Error);
}

}  // namespace
}  // namespace farstate
