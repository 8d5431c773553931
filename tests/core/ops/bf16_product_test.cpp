// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/bf16_product.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>

#include "core/base/error.h"
#include "core/ops/cross_entropy.h"
#include "core/ops/linear.h"

namespace farstate::ops {
namespace {

using at::Tensor;

Tensor rounded(const Tensor& x) { return x.to(at::kBFloat16).to(at::kDouble); }

// Of a float32 sum of K products of float numbers against float64: each addition loses at most an
// ulp of 6e-8, and random signs keep the sum of the losses near sqrt(K) of them.
double sum_bound(const Tensor& a, const Tensor& b) {
  const double scale = a.abs().max().item<double>() * b.abs().max().item<double>();
  return 8 * std::sqrt(static_cast<double>(a.size(1))) * scale * 6e-8;
}

void expect_product(const Tensor& got, const Tensor& a, const Tensor& b, const char* what) {
  ASSERT_EQ(got.scalar_type(), at::kFloat);
  const double error = (got.to(at::kDouble) - rounded(a).mm(rounded(b))).abs().max().item<double>();
  EXPECT_LE(error, sum_bound(a, b)) << what;
}

TEST(Bf16Product, RoundsTheOperandsAndNothingElse) {
  at::manual_seed(4);
  const Tensor a = at::randn({37, 70}), b = at::randn({70, 19});
  const Tensor a_down = at::randn({70, 37}), b_down = at::randn({19, 70});
  expect_product(bf16_product(bf16_operand(a), bf16_operand(b)), a, b, "plain");
  expect_product(bf16_product(bf16_operand(a_down).t(), bf16_operand(b)), a_down.t(), b, "left");
  expect_product(bf16_product(bf16_operand(a), bf16_operand(b_down).t()), a, b_down.t(), "right");
  const Tensor sum = at::ones({37, 19});
  add_bf16_product(sum, bf16_operand(a), bf16_operand(b));
  expect_product(sum - 1, a, b, "added");
}

// The product that a processor with such instructions uses runs on any, only slowly.
TEST(Bf16Product, TheLibrarysProductKeepsFloatSums) {
  at::manual_seed(5);
  const auto narrow = [](const Tensor& x) { return x.to(at::kBFloat16); };
  const Tensor a = at::randn({33, 130}), b = at::randn({130, 40}), b_down = at::randn({40, 130});
  Tensor plain;
  try {
    plain = bf16_product(narrow(a), narrow(b));
  } catch (const Error&) {
    GTEST_SKIP() << "LibTorch was built without MKL.";
  }
  expect_product(plain, a, b, "plain");
  expect_product(bf16_product(narrow(a), narrow(b_down).t()), a, b_down.t(), "right");
  expect_product(bf16_product(narrow(a).slice(1, 3, 60), narrow(b).slice(0, 3, 60)),
                 a.slice(1, 3, 60), b.slice(0, 3, 60), "a part of the rows");
  const Tensor sum = at::ones({33, 40});
  add_bf16_product(sum, narrow(a), narrow(b));
  expect_product(sum - 1, a, b, "added");
}

// Rounding to the nearest number of 8 bits is off by at most u = 2^-8 of the number, so a product of
// two by at most 2 u + u^2 of itself, and a sum of products by that share of their magnitudes.
const double kRounding = std::ldexp(1.0, -7) + std::ldexp(1.0, -16);

void expect_near(const Tensor& got, const Tensor& a, const Tensor& b, const char* what) {
  const Tensor bound = kRounding * a.abs().mm(b.abs()) + 1e-5;
  EXPECT_TRUE(((got - a.mm(b)).abs() <= bound).all().item<bool>()) << what;
}

TEST(Bf16Linear, ResultAndGradientsAreNearFloat32s) {
  at::manual_seed(6);
  const Tensor x = at::randn({2, 15, 40}).requires_grad_(true);
  const Tensor weight = at::randn({21, 40}).requires_grad_(true);
  const Tensor bias = at::randn({21}).requires_grad_(true);
  const Tensor grad = at::randn({2, 15, 21});
  const Tensor y = linear(x, weight, bias, Compute::kBFloat16);
  const auto rows = [](const Tensor& t) { return t.detach().flatten(0, 1); };
  ASSERT_EQ(y.sizes(), grad.sizes());
  expect_near(rows(y) - bias.detach(), rows(x), weight.detach().t(), "y");
  const auto grads = torch::autograd::grad({y}, {x, weight, bias}, {grad});
  expect_near(rows(grads[0]), rows(grad), weight.detach(), "x");
  expect_near(grads[1], rows(grad).t(), rows(x), "weight");
  EXPECT_TRUE(at::equal(grads[2], rows(grad).sum(0)));
  // It rounds at all: random numbers have more than 8 bits.
  EXPECT_FALSE(at::equal(y, linear(x, weight, bias)));
}

TEST(Bf16Linear, IsTheSameWithAndWithoutAGraph) {
  const Tensor x = at::randn({4, 16}), weight = at::randn({5, 16});
  const Tensor without = linear(x, weight, {}, Compute::kBFloat16);
  const Tensor with = linear(x.clone().requires_grad_(true), weight, {}, Compute::kBFloat16);
  EXPECT_TRUE(at::equal(with.detach(), without));
  EXPECT_THROW(linear(x.to(at::kDouble), weight.to(at::kDouble), {}, Compute::kBFloat16), Error);
}

// A logit is off by at most e, as above. The loss is the logarithm of a sum of exponentials of logits
// less a logit, so it is off by 2 e; a probability by e^(2e) - 1 of itself, and the gradients are
// products with it, of operands that are rounded once more.
TEST(Bf16Head, LossAndGradientsAreNearFloat32s) {
  at::manual_seed(7);
  const Tensor hidden = (0.3 * at::randn({23, 32})).requires_grad_(true);
  const Tensor weight = (0.3 * at::randn({50, 32})).requires_grad_(true);
  const Tensor targets = at::arange(23);
  const double e = kRounding *
                   hidden.detach().abs().mm(weight.detach().abs().t()).max().item<double>();
  const Tensor want = head_nll(hidden, weight, targets);
  const Tensor got = head_nll(hidden, weight, targets, Compute::kBFloat16, /*block_logits=*/300);
  EXPECT_LE((got - want).abs().max().item<double>(), 2 * e);
  const auto wanted = torch::autograd::grad({want.sum()}, {hidden, weight});
  const auto grads = torch::autograd::grad({got.sum()}, {hidden, weight});
  const Tensor chance = at::softmax(hidden.detach().mm(weight.detach().t()), 1);
  const Tensor size = chance.scatter_add(1, targets.unsqueeze(1), at::ones({23, 1}));  // |gradient|
  const double share = std::expm1(2 * e) + std::exp(2 * e) * kRounding;
  const auto near = [&](const Tensor& a, const Tensor& b, const Tensor& bound) {
    return ((a - b).abs() <= share * bound + 1e-5).all().item<bool>();
  };
  EXPECT_TRUE(near(grads[0], wanted[0], size.mm(weight.detach().abs())));
  EXPECT_TRUE(near(grads[1], wanted[1], size.t().mm(hidden.detach().abs())));
  EXPECT_FALSE(at::equal(grads[0], wanted[0]));
}

}  // namespace
}  // namespace farstate::ops
