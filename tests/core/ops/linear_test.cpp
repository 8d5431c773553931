// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/linear.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.h"
#include "core/ops/cross_entropy.h"
#include "tests/support/gradcheck.h"
#include "tests/support/tensor_match.h"

namespace farstate {
namespace {

using farstate::testing::close_to;
using farstate::testing::rounding_tolerance;

// The widened weight has the values of the narrow one, so only the order of the sums may differ:
// I products of size |x||w| each lose at most an ulp per addition, and random signs keep the sum of
// the losses near sqrt(I) of them.
double bound(const at::Tensor& x, const at::Tensor& weight) {
  const double scale = x.abs().max().item<double>() * weight.abs().max().item<double>();
  return 8 * std::sqrt(static_cast<double>(x.size(-1))) * scale * 6e-8;
}

TEST(Linear, ABfloat16WeightIsWidenedNotRoundedAgain) {
  // 1600 x 700 elements are more than one block; 1 is a step's single row.
  for (const auto& [O, I] : {std::pair<int64_t, int64_t>{1600, 700}, {5, 3}, {1, 1}}) {
    const at::Tensor weight = at::randn({O, I}).to(at::kBFloat16);
    const at::Tensor bias = at::randn({O});
    for (const std::vector<int64_t>& shape : {std::vector<int64_t>{1, I}, {2, 7, I}}) {
      const at::Tensor x = at::randn(shape);
      const at::Tensor wide = at::linear(x, weight.to(at::kFloat), bias);
      const at::Tensor narrow = ops::linear(x, weight, bias);
      ASSERT_EQ(narrow.sizes(), wide.sizes());
      EXPECT_EQ(narrow.scalar_type(), at::kFloat);
      EXPECT_LE((narrow - wide).abs().max().item<double>(), bound(x, weight.to(at::kFloat)));
    }
  }
}

TEST(Linear, EqualsLibTorchsAndSoDoItsGradients) {
  at::manual_seed(3);
  for (const int64_t rows : {1, 3, 300}) {
    const at::Tensor x = at::randn({2, rows, 45}).requires_grad_(true);
    const at::Tensor weight = at::randn({34, 45}).requires_grad_(true);
    const at::Tensor bias = at::randn({34}).requires_grad_(true);
    const at::Tensor grad = at::randn({2, rows, 34});
    std::vector<at::Tensor> exact;
    for (const at::Tensor& t : {x, weight, bias}) {
      exact.push_back(t.detach().to(at::kDouble).requires_grad_(true));
    }
    const at::Tensor want = at::linear(exact[0], exact[1], exact[2]);
    const at::Tensor got = ops::linear(x, weight, bias);
    EXPECT_TRUE(close_to(got, want, rounding_tolerance<float>(45)));
    const auto wanted = torch::autograd::grad({want}, exact, {grad.to(at::kDouble)});
    const auto grads = torch::autograd::grad({got}, {x, weight, bias}, {grad});
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_TRUE(close_to(grads[i], wanted[i], rounding_tolerance<float>(2 * rows + 34))) << i;
    }
  }
}

TEST(Linear, GradientsEqualCentralDifferences) {
  const at::Tensor x = at::randn({2, 3, 5}, at::kDouble).requires_grad_(true);
  const at::Tensor weight = at::randn({4, 5}, at::kDouble).requires_grad_(true);
  const at::Tensor residual = at::randn({2, 3, 4}, at::kDouble).requires_grad_(true);
  const at::Tensor grad = at::randn({2, 3, 4}, at::kDouble);
  for (const at::Tensor& bias : {at::Tensor(), at::randn({4}, at::kDouble).requires_grad_(true)}) {
    farstate::testing::expect_gradients(
        [&] { return (ops::linear_plus(x, weight, bias, residual) * grad).sum(); },
        {{"x", x}, {"weight", weight}, {"bias", bias}, {"residual", residual}}, 24);
  }
}

TEST(Linear, AResidualIsAddedInEveryForm) {
  for (const int64_t rows : {1, 6}) {
    const at::Tensor x = at::randn({1, rows, 5}), weight = at::randn({4, 5}), bias = at::randn({4});
    const at::Tensor residual = at::randn({1, rows, 4});
    for (const at::Tensor& b : {at::Tensor(), bias}) {
      for (const ops::Compute compute : {ops::Compute::kFloat32, ops::Compute::kBFloat16}) {
        EXPECT_TRUE(close_to(ops::linear_plus(x, weight, b, residual, compute),
                             residual + ops::linear(x, weight, b, compute),
                             rounding_tolerance<float>(6)));
      }
    }
  }
  EXPECT_THROW(ops::linear_plus(at::randn({2, 5}), at::randn({4, 5}), {}, at::randn({4})), Error);
}

TEST(Linear, GivesOnlyTheGradientsAskedFor) {
  const at::Tensor x = at::randn({4, 5}), weight = at::randn({3, 5}).requires_grad_(true);
  ops::linear(x, weight).sum().backward();
  EXPECT_FALSE(x.grad().defined());
  EXPECT_TRUE(close_to(weight.grad(), x.sum(0).expand({3, 5}), rounding_tolerance<float>(4)));
}

// Whoever cuts a text elsewhere, or computes with another number of threads, gets the same numbers.
TEST(Linear, ARowHasTheSameBitsInAnyCompany) {
  at::manual_seed(8);
  const at::Tensor x = at::randn({300, 300}), weight = at::randn({70, 300});
  const at::Tensor all = ops::linear(x, weight);
  for (const auto& [begin, rows] : {std::pair<int64_t, int64_t>{0, 2}, {7, 7}, {100, 200}}) {
    EXPECT_TRUE(at::equal(ops::linear(x.narrow(0, begin, rows), weight), all.narrow(0, begin, rows)));
  }
  const int threads = at::get_num_threads();
  at::set_num_threads(1);
  EXPECT_TRUE(at::equal(ops::linear(x, weight), all));
  at::set_num_threads(threads);
}

TEST(Linear, RefusesAGraphAndOtherDTypes) {
  const at::Tensor x = at::randn({2, 5});
  const at::Tensor narrow = at::randn({4, 5}).to(at::kBFloat16);
  EXPECT_THROW(ops::linear(x.clone().requires_grad_(true), narrow), Error);
  EXPECT_THROW(ops::linear(x, narrow.to(at::kHalf)), Error);
  EXPECT_THROW(ops::linear(x.to(at::kDouble), narrow), Error);
}

TEST(Linear, TheLossTakesABfloat16Head) {
  const at::Tensor hidden = at::randn({9, 33});
  const at::Tensor head = at::randn({50, 33}).to(at::kBFloat16);
  const at::Tensor targets = at::arange(9);
  const at::Tensor wide = ops::head_nll_naive(hidden, head.to(at::kFloat), targets);
  const at::Tensor narrow = ops::head_nll(hidden, head, targets, ops::Compute::kFloat32, /*block_logits=*/100);
  EXPECT_LE((narrow - wide).abs().max().item<double>(), 2 * bound(hidden, head.to(at::kFloat)));
  EXPECT_THROW(ops::head_nll(hidden, head.narrow(1, 0, 32), targets), Error);
}

}  // namespace
}  // namespace farstate
