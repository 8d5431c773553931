// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/state_stats.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/base/error.h"
#include "tests/support/tensor_match.h"

namespace farstate::ops {
namespace {

using farstate::testing::close_to;
using farstate::testing::rounding_tolerance;
using farstate::testing::SeededTensors;
using torch::Tensor;

TEST(StateStats, EqualsPlainOperations) {
  for (const auto dtype : {torch::kFloat, torch::kDouble}) {
    const Tensor h = SeededTensors(2).normal({2, 3, 5, 37}, dtype) * 1e3;
    const Tensor all = h.to(torch::kDouble).flatten(2);
    const Tensor want = torch::stack({all.sum(-1), all.square().sum(-1), all.abs().amax(-1),
                                      torch::zeros({2, 3}, torch::kDouble)},
                                     -1);
    // In double, whatever the state's type.
    EXPECT_TRUE(close_to(state_stats(h), want, rounding_tolerance<double>(5 * 37)));
  }
}

TEST(StateStats, CountsWhatIsNotFiniteAndLeavesItOut) {
  const Tensor h = torch::ones({1, 2, 3, 5});
  h[0][1][0][0] = std::numeric_limits<float>::quiet_NaN();
  h[0][1][1][4] = -std::numeric_limits<float>::infinity();
  h[0][1][2][2] = -7;
  const Tensor want =
      torch::tensor({15.0, 15.0, 1.0, 0.0, 12.0 - 7.0, 12.0 + 49.0, 7.0, 2.0}, torch::kDouble)
          .view({1, 2, 4});
  EXPECT_TRUE(torch::equal(state_stats(h), want)) << state_stats(h);
}

TEST(StateStats, WantsAContiguousState) {
  EXPECT_THROW(state_stats(torch::zeros({1, 2, 4, 3}).transpose(2, 3)), Error);
}

}  // namespace
}  // namespace farstate::ops
