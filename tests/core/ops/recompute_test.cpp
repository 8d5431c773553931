// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/recompute.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "core/base/error.h"
#include "core/base/stop.h"

namespace farstate {
namespace {

using Tensors = std::vector<at::Tensor>;

// Two results, an operand that is used twice, and one that may be missing.
Tensors piece(const Tensors& given) {
  const at::Tensor product = at::tanh(given[0].mm(given[1]));
  const at::Tensor shifted = given[2].defined() ? product + given[2] : product;
  return {shifted * given[0].sum(), product.sum(0)};
}

at::Tensor loss_of(const Tensors& results) {
  return (results[0] * results[0]).sum() + results[1].sum();
}

at::Tensor leaf(at::IntArrayRef sizes) { return at::randn(sizes).requires_grad_(true); }

TEST(Recomputed, GivesTheSameNumbersAndGradientsToTheBit) {
  at::manual_seed(3);
  for (const bool with_third : {true, false}) {
    Tensors wanted = {leaf({3, 4}), leaf({4, 5})};
    Tensors operands = wanted;
    operands.push_back(with_third ? leaf({3, 5}) : at::Tensor());
    if (with_third) wanted.push_back(operands[2]);
    const Tensors plain = piece(operands);
    const Tensors again = ops::recomputed(piece, operands);
    for (size_t i = 0; i < plain.size(); ++i) EXPECT_TRUE(at::equal(again[i], plain[i]));
    const Tensors want = torch::autograd::grad({loss_of(plain)}, wanted);
    const Tensors got = torch::autograd::grad({loss_of(again)}, wanted);
    for (size_t i = 0; i < want.size(); ++i) EXPECT_TRUE(at::equal(got[i], want[i])) << i;
  }
}

TEST(Recomputed, TakesAResultThatNothingWasReadFromAndAFrozenOperand) {
  const at::Tensor x = leaf({3, 4});
  const at::Tensor frozen = at::randn({4, 5});
  const auto gradient = [&](const Tensors& results) {
    return torch::autograd::grad({results[1].sum()}, {x})[0];
  };
  EXPECT_TRUE(at::equal(gradient(ops::recomputed(piece, {x, frozen, {}})),
                        gradient(piece({x, frozen, {}}))));
}

TEST(Recomputed, CallsOnceWithoutAGraphAndTwiceWithOne) {
  int calls = 0;
  const ops::Piece counted = [&](const Tensors& given) {
    ++calls;
    return Tensors{given[0] * given[0]};
  };
  ops::recomputed(counted, {at::randn({2})});
  EXPECT_EQ(calls, 1);
  const at::Tensor x = leaf({2});
  const Tensors result = ops::recomputed(counted, {x});
  EXPECT_EQ(calls, 2);
  torch::autograd::grad({result[0].sum()}, {x});
  EXPECT_EQ(calls, 3);
}

TEST(Recomputed, AStopEndsTheSecondPass) {
  const at::Tensor x = leaf({2});
  const Tensors result = ops::recomputed(
      [](const Tensors& given) { return Tensors{given[0] * given[0]}; }, {x});
  std::stop_source source;
  source.request_stop();
  const StopScope scope(source.get_token());
  EXPECT_THROW(torch::autograd::grad({result[0].sum()}, {x}), Error);
}

TEST(Recomputed, HasNoSecondDerivative) {
  const at::Tensor x = leaf({2});
  const Tensors result = ops::recomputed(
      [](const Tensors& given) { return Tensors{given[0] * given[0]}; }, {x});
  EXPECT_THROW(torch::autograd::grad({result[0].sum()}, {x}, {}, true, /*create_graph=*/true), Error);
}

}  // namespace
}  // namespace farstate
