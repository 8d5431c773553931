// SPDX-License-Identifier: GPL-3.0-or-later
// Which states the fitted laws are fitted to, and what a change of their settings keeps.
#include "core/interventions/fitted_law.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/tiny_model.h"

namespace farstate {
namespace {

using testing::bit_equal;
using testing::random_state;
using testing::tiny_model;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

InterventionConfig fitted(Intervention kind) {
  InterventionConfig config;
  config.kind = kind;
  config.zero_probability = 0;
  return config;
}

TEST(PositionsPast, AreAllUpTo64AndThenEvenlySpacedWithTheLast) {
  EXPECT_THAT(positions_past(5, 8), ElementsAre(5, 6, 7));
  EXPECT_EQ(positions_past(0, 64).size(), 64);
  EXPECT_TRUE(positions_past(8, 8).empty());
  const std::vector<int64_t> thinned = positions_past(24, 2072);  // 2048 positions
  ASSERT_EQ(thinned.size(), 64);
  EXPECT_EQ(thinned.front(), 24 + 31);
  EXPECT_EQ(thinned.back(), 2071);
  for (size_t i = 1; i < thinned.size(); ++i) EXPECT_EQ(thinned[i] - thinned[i - 1], 32);
}

TEST(FittedLaw, AsksForStatisticsOnlyWhileItFitsThem) {
  const auto model = tiny_model();
  InterventionConfig config = fitted(Intervention::kFittedNoise);
  EXPECT_TRUE(make_policy(config, model->zero_state(1), 1)->stat_positions(16).empty());
  config.fitted_from = "all";
  config.fitted_burn_in = 14;
  const auto running = make_policy(config, model->zero_state(1), 1);
  EXPECT_THAT(running->stat_positions(16), ElementsAre(14, 15));
  EXPECT_TRUE(running->fixed_set().whole());
  config.fitted_windows = 3;
  const auto fixed = make_policy(config, model->zero_state(1), 1);
  EXPECT_EQ(fixed->fixed_set().next, 0);
  EXPECT_EQ(fixed->fixed_set().count, 3);
  const ModelState state = random_state(*model, 3);
  const at::Tensor stats = at::ones({3, 2, 4, 4}, at::kDouble);
  fixed->read({state, {stats, stats}});
  EXPECT_TRUE(fixed->fixed_set().whole());
  EXPECT_TRUE(fixed->stat_positions(16).empty());
}

TEST(FittedLaw, EveryWindowOfAFixedSetCountsTheSame) {
  const auto model = tiny_model();
  const ModelState states = random_state(*model, 6);
  InterventionConfig config = fitted(Intervention::kFittedNoise);
  config.fitted_windows = 6;
  const auto at_once = make_policy(config, model->zero_state(1), 1);
  const auto in_parts = make_policy(config, model->zero_state(1), 1);
  at_once->read({states});
  in_parts->read({states.rows(0, 4)});
  EXPECT_EQ(in_parts->fixed_set().next, 4);
  // What is trained on in between is not of the set.
  in_parts->observe({random_state(*model, 6, 77)});
  in_parts->read({states.rows(4, 6)});
  // fp64 sums in another order.
  EXPECT_LT(testing::scaled_error(in_parts->fitted()->mean, at_once->fitted()->mean), 1e-10);
  EXPECT_LT(testing::scaled_error(in_parts->fitted()->std, at_once->fitted()->std), 1e-10);
}

// What a change of `edit` keeps of a fit to one batch.
template <typename Edit>
std::unique_ptr<InitialStatePolicy> after_change(Intervention kind, Edit&& edit) {
  const auto model = tiny_model();
  InterventionConfig config = fitted(kind);
  config.mixture = {{"fitted-noise", 1}, {"correlated-noise", 1}};
  const auto before = make_policy(config, model->zero_state(1), 1);
  before->observe({random_state(*model, 4)});
  edit(config);
  auto after = make_policy(config, model->zero_state(1), 1);
  after->restore(before->memory());
  return after;
}

TEST(FittedLaw, AChangeKeepsTheFitUnlessItIsOfOtherStates) {
  for (const Intervention kind :
       {Intervention::kFittedNoise, Intervention::kCorrelatedNoise, Intervention::kMixture}) {
    const auto kept = after_change(kind, [](InterventionConfig& c) {
      c.fitted_momentum = 0.5;
      c.zero_probability = 0.5;
    });
    EXPECT_TRUE(kept->fitted()) << to_string(kind);
    EXPECT_THAT(kept->describe(), Not(HasSubstr("anew")));
    const auto anew =
        after_change(kind, [](InterventionConfig& c) { c.fitted_windows = 8; });
    EXPECT_FALSE(anew->fitted()) << to_string(kind);
    EXPECT_EQ(anew->fixed_set().next, 0);
    EXPECT_THAT(anew->describe(), HasSubstr("fitted anew"));
  }
  EXPECT_FALSE(after_change(Intervention::kFittedNoise, [](InterventionConfig& c) {
                 c.fitted_from = "all";
               })->fitted());
  EXPECT_FALSE(after_change(Intervention::kCorrelatedNoise, [](InterventionConfig& c) {
                 c.fitted_rank = 3;
               })->fitted());
}

TEST(FittedLaw, AFileThatNamesNoEstimatorIsOfFinalStates) {
  const auto model = tiny_model();
  const InterventionConfig config = fitted(Intervention::kFittedNoise);
  const auto law = make_policy(config, model->zero_state(1), 1);
  law->observe({random_state(*model, 4)});
  PolicyMemory memory = law->memory();
  memory.erase("estimator");
  const auto restored = make_policy(config, model->zero_state(1), 1);
  restored->restore(memory);
  ASSERT_TRUE(restored->fitted());
  EXPECT_TRUE(bit_equal(restored->fitted()->mean, law->fitted()->mean));
}

}  // namespace
}  // namespace farstate
