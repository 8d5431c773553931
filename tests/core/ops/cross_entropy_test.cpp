// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/cross_entropy.h"

#include <gtest/gtest.h>

#include "core/base/error.h"
#include "tests/support/gradcheck.h"
#include "tests/support/tensor_match.h"

namespace farstate::ops {
namespace {

using farstate::testing::close_to;
using farstate::testing::rounding_tolerance;
using farstate::testing::SeededTensors;
using torch::Tensor;

constexpr int64_t R = 11, D = 6, V = 17;

struct Operands {
  Tensor hidden, weight, targets;

  explicit Operands(torch::ScalarType dtype, double scale = 1) {
    SeededTensors random(9);
    hidden = (random.normal({R, D}, torch::kFloat) * scale).to(dtype).requires_grad_();
    weight = random.normal({V, D}, torch::kFloat).to(dtype).requires_grad_();
    targets = torch::arange(R) * 5 % V;
  }
};

Tensor weighted_loss(const Tensor& nll) {
  return (nll * SeededTensors(11).normal(nll.sizes(), nll.scalar_type())).sum();
}

// Blocks of one row, of some rows with a rest, and of all.
class HeadNllBlocks : public ::testing::TestWithParam<int64_t> {};

TEST_P(HeadNllBlocks, EqualsLogSoftmax) {
  for (const double scale : {1.0, 1e3}) {  // at 1e3 exp of a logit would overflow
    const Operands oracle(torch::kDouble, scale), o(torch::kFloat, scale);
    const Tensor want = head_nll_naive(oracle.hidden, oracle.weight, oracle.targets);
    const Tensor got = head_nll(o.hidden, o.weight, o.targets, Compute::kFloat32, GetParam());
    EXPECT_TRUE(close_to(got, want, rounding_tolerance<float>(D + V)));
    const auto want_grads =
        torch::autograd::grad({weighted_loss(want)}, {oracle.hidden, oracle.weight});
    const auto got_grads = torch::autograd::grad({weighted_loss(got)}, {o.hidden, o.weight});
    for (size_t i = 0; i < 2; ++i) {
      // exp carries the logits' absolute error, that of sums of D terms of size `scale`.
      EXPECT_TRUE(
          close_to(got_grads[i], want_grads[i],
                   rounding_tolerance<float>(static_cast<int64_t>((D + V + R) * scale * scale))));
    }
  }
}

TEST_P(HeadNllBlocks, GradientsEqualCentralDifferences) {
  const Operands o(torch::kDouble);
  farstate::testing::expect_gradients(
      [&] { return weighted_loss(head_nll(o.hidden, o.weight, o.targets, Compute::kFloat32, GetParam())); },
      {{"hidden", o.hidden}, {"weight", o.weight}}, R * V);
}

INSTANTIATE_TEST_SUITE_P(Sizes, HeadNllBlocks, ::testing::Values(1, 3 * V, kHeadBlockLogits));

TEST(HeadNll, GivesOnlyTheGradientsAskedFor) {
  Operands o(torch::kDouble);
  const Tensor frozen = o.weight.detach();
  const auto grads =
      torch::autograd::grad({head_nll(o.hidden, frozen, o.targets).sum()}, {o.hidden});
  const auto want =
      torch::autograd::grad({head_nll_naive(o.hidden, frozen, o.targets).sum()}, {o.hidden});
  EXPECT_TRUE(close_to(grads[0], want[0], rounding_tolerance<double>(D + V)));
}

TEST(HeadNll, NamesATargetOutOfRange) {
  const Operands o(torch::kFloat);
  for (const int64_t wrong : {int64_t{-1}, V}) {
    const Tensor targets = o.targets.clone();
    targets[4] = wrong;
    try {
      head_nll(o.hidden, o.weight, targets);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.what(),
                "head_nll: wanted targets in [0, 17); got " + std::to_string(wrong) + " in row 4.");
    }
  }
}

}  // namespace
}  // namespace farstate::ops
