// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/decode_graph.h"

#include <gtest/gtest.h>

#include "tests/support/tiny_model.h"

namespace farstate {
namespace {

using farstate::testing::bit_equal;
using farstate::testing::random_state;
using farstate::testing::random_tokens;
using farstate::testing::tiny_model;

// From a state that is given, and anew from another one: what stays at its place is all there is.
TEST(DecodeGraph, StepsAsTheModelDoes) {
  const at::NoGradGuard no_grad;
  const auto model = tiny_model();
  DecodeGraph graph(*model, 3);
  for (const uint64_t seed : {1, 2}) {
    ModelState state = random_state(*model, 3, seed);
    graph.set_state(state);
    const at::Tensor tokens = random_tokens(3, 6, model->config().vocabulary, seed);
    for (int64_t t = 0; t < tokens.size(1); ++t) {
      const at::Tensor want = model->step(tokens.select(1, t), state);
      EXPECT_TRUE(bit_equal(graph.step(tokens.select(1, t)), want)) << "token " << t;
    }
    for (size_t i = 0; i < state.layers.size(); ++i) {
      EXPECT_TRUE(bit_equal(graph.state().layers[i].recurrent, state.layers[i].recurrent));
      EXPECT_TRUE(bit_equal(graph.state().layers[i].context, state.layers[i].context));
    }
  }
}

TEST(DecodeGraph, BeginsAtTheZeroState) {
  const at::NoGradGuard no_grad;
  const auto model = tiny_model();
  DecodeGraph graph(*model, 2);
  ModelState state = model->zero_state(2);
  const at::Tensor tokens = random_tokens(2, 1, model->config().vocabulary).select(1, 0);
  EXPECT_TRUE(bit_equal(graph.step(tokens), model->step(tokens, state)));
}

}  // namespace
}  // namespace farstate
