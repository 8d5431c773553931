// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/split_rows.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "core/base/error.h"
#include "tests/support/tensor_match.h"

namespace farstate::ops {
namespace {

using farstate::testing::same_bits;
using torch::Tensor;

TEST(SplitRows, PartsAreViews) {
  const Tensor x = torch::randn({2, 3, 7});
  const auto parts = split_rows(x, {4, 1, 2});
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_TRUE(same_bits(parts[1], x.slice(2, 4, 5)));
  EXPECT_EQ(parts[2].data_ptr<float>(), x.data_ptr<float>() + 5);
}

TEST(SplitRows, GradientsStandSideBySide) {
  for (const auto dtype : {torch::kFloat, torch::kDouble}) {
    const Tensor x = torch::randn({2, 500, 7}, dtype).requires_grad_();
    const Tensor weight = torch::randn({2, 500, 7}, dtype);
    const auto parts = split_rows(x, {4, 1, 2});
    // The middle part is read by nothing, the last one through a transposition.
    const Tensor loss = (parts[0] * weight.slice(2, 0, 4)).sum() +
                        (parts[2].transpose(0, 2) * weight.slice(2, 5, 7).transpose(0, 2)).sum();
    const Tensor grad = torch::autograd::grad({loss}, {x})[0];
    Tensor want = weight.clone();
    want.slice(2, 4, 5).zero_();
    EXPECT_TRUE(same_bits(grad, want));
  }
}

TEST(SplitRows, SaysWhatItWanted) {
  EXPECT_THROW(split_rows(torch::randn({2, 7}), {4, 4}), Error);
}

}  // namespace
}  // namespace farstate::ops
