// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/training_graph.h"

#include <gtest/gtest.h>

#include "core/session/adamw.h"
#include "tests/support/tiny_model.h"

namespace farstate {
namespace {

using farstate::testing::bit_equal;
using farstate::testing::random_state;
using farstate::testing::random_tokens;
using farstate::testing::tiny_model;

// Step after step with updates in between, from the zero state and from others: losses, states and
// weights are those of the steps that are not recorded.
TEST(TrainingGraph, MakesTheStepsOfAddGradients) {
  const auto here = tiny_model(), there = tiny_model();
  TrainConfig config;
  config.batch = 3;
  config.context = 9;
  TrainingGraph graph(*there, config);
  AdamW plain(*here, config), recorded(*there, config);
  for (int64_t step = 0; step < 3; ++step) {
    const auto seed = static_cast<uint64_t>(step + 1);
    const at::Tensor tokens = random_tokens(3, 10, here->config().vocabulary, seed);
    const ModelState initial = step == 1 ? ModelState{} : random_state(*here, 3, seed);
    const BatchPass want = add_gradients(*here, {tokens, {}}, initial, config);
    const BatchPass got = graph.run(tokens, initial);
    EXPECT_EQ(got.loss, want.loss) << step;
    EXPECT_TRUE(bit_equal(got.final_state.layers.back().recurrent,
                          want.final_state.layers.back().recurrent));
    EXPECT_EQ(recorded.clip_gradients(0.5), plain.clip_gradients(0.5));
    plain.step(1e-2);
    recorded.step(1e-2);
  }
  for (size_t i = 0; i < here->tensors().size(); ++i) {
    EXPECT_TRUE(bit_equal(there->tensors()[i].tensor, here->tensors()[i].tensor))
        << here->tensors()[i].name;
  }
}

}  // namespace
}  // namespace farstate
