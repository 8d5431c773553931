// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/causal_conv1d.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/error.h"
#include "tests/support/gradcheck.h"
#include "tests/support/tensor_match.h"

namespace farstate::ops {
namespace {

using farstate::testing::close_to;
using farstate::testing::rounding_tolerance;
using farstate::testing::same_bits;
using farstate::testing::SeededTensors;
using torch::Tensor;

struct Case {
  const char* covers;
  int64_t B, T, C, W;
  bool optional = true;  // bias and context are given
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.covers << " (B " << c.B << ", T " << c.T << ", C " << c.C << ", W " << c.W << ")";
}

struct Operands {
  Tensor u, weight, bias, context;

  explicit Operands(const Case& c, torch::ScalarType dtype = torch::kDouble) {
    SeededTensors random(5);
    const auto leaf = [&](torch::IntArrayRef sizes) {
      return random.normal(sizes, torch::kFloat).to(dtype).requires_grad_();
    };
    u = leaf({c.B, c.T, c.C});
    weight = leaf({c.C, c.W});
    if (!c.optional) return;
    bias = leaf({c.C});
    context = leaf({c.B, c.W - 1, c.C});
  }
  template <class Op>
  CausalConv1dResult operator()(const Op& op) const {
    return op(u, weight, bias, context);
  }
  std::vector<Tensor> leaves() const {
    return bias.defined() ? std::vector<Tensor>{u, weight, bias, context}
                          : std::vector<Tensor>{u, weight};
  }
};

// Through both results, weighted unevenly.
Tensor weighted_loss(const CausalConv1dResult& result) {
  SeededTensors random(11);
  const auto dtype = result.y.scalar_type();
  return (result.y * random.normal(result.y.sizes(), dtype)).sum() +
         (result.context * random.normal(result.context.sizes(), dtype)).sum();
}

class CausalConv1dCases : public ::testing::TestWithParam<Case> {};

template <class Real>
void expect_equals_naive(const Case& c, torch::ScalarType dtype) {
  const Operands o(c, dtype), oracle(c, torch::kDouble);
  const auto tolerance = rounding_tolerance<Real>(c.W + c.B * c.T);  // grad_weight sums B*T terms
  const CausalConv1dResult got = o(causal_conv1d_silu), want = oracle(causal_conv1d_silu_naive);
  EXPECT_TRUE(close_to(got.y, want.y, tolerance));
  EXPECT_TRUE(close_to(got.context, want.context, tolerance));
  const auto got_grads = torch::autograd::grad({weighted_loss(got)}, o.leaves());
  const auto want_grads = torch::autograd::grad({weighted_loss(want)}, oracle.leaves());
  for (size_t i = 0; i < got_grads.size(); ++i) {
    EXPECT_TRUE(close_to(got_grads[i], want_grads[i], tolerance)) << "gradient " << i;
  }
}

TEST_P(CausalConv1dCases, EqualsPlainOperationsInDouble) {
  expect_equals_naive<double>(GetParam(), torch::kDouble);
}

TEST_P(CausalConv1dCases, EqualsDoubleOperationsInFloat) {
  expect_equals_naive<float>(GetParam(), torch::kFloat);
}

TEST_P(CausalConv1dCases, GradientsEqualCentralDifferences) {
  const Operands o(GetParam());
  farstate::testing::expect_gradients(
      [&] { return weighted_loss(o(causal_conv1d_silu)); },
      {{"u", o.u}, {"weight", o.weight}, {"bias", o.bias}, {"context", o.context}});
}

INSTANTIATE_TEST_SUITE_P(Sizes, CausalConv1dCases,
                         ::testing::Values(Case{"Mamba's width", 2, 9, 24, 4},
                                           Case{"T < W - 1", 2, 2, 24, 4},
                                           Case{"T = 1", 3, 1, 8, 4}, Case{"T = W - 1", 2, 3, 8, 4},
                                           Case{"width 1", 2, 5, 8, 1}, Case{"width 2", 1, 5, 8, 2},
                                           Case{"odd channels", 2, 7, 13, 3},
                                           Case{"two blocks of channels", 2, 5, 64 + 19, 4},
                                           Case{"no bias, no context", 2, 6, 24, 4, false}));

class CausalConv1dFloat : public ::testing::Test {
 protected:
  const at::NoGradGuard no_grad;
  const Operands o = Operands({"", 2, 21, 70, 4}, torch::kFloat);
  const CausalConv1dResult whole = o(causal_conv1d_silu);
};

TEST_F(CausalConv1dFloat, PiecesEqualTheWholeToTheBit) {
  for (const int64_t cut : {1, 2, 3, 10, 20}) {
    const auto head = causal_conv1d_silu(o.u.narrow(1, 0, cut), o.weight, o.bias, o.context);
    const auto tail =
        causal_conv1d_silu(o.u.narrow(1, cut, 21 - cut), o.weight, o.bias, head.context);
    EXPECT_TRUE(same_bits(torch::cat({head.y, tail.y}, 1), whole.y)) << "cut at " << cut;
    EXPECT_TRUE(same_bits(tail.context, whole.context)) << "cut at " << cut;
  }
}

TEST_F(CausalConv1dFloat, TheNewContextIsACopy) {
  const Tensor u = o.u.clone();
  const auto result = causal_conv1d_silu(u, o.weight, o.bias, o.context);
  u.zero_();
  EXPECT_TRUE(same_bits(result.context, whole.context));
}

TEST_F(CausalConv1dFloat, ViewsOfWiderRowsEqualCopies) {
  const Tensor wide = torch::randn({2, 21, 100});
  wide.narrow(2, 9, 70).copy_(o.u);
  EXPECT_TRUE(
      same_bits(causal_conv1d_silu(wide.narrow(2, 9, 70), o.weight, o.bias, o.context).y, whole.y));
}

TEST_F(CausalConv1dFloat, LaterInputsChangeNoEarlierOutput) {
  const Tensor u = o.u.clone();
  u.narrow(1, 12, 1).fill_(std::numeric_limits<float>::quiet_NaN());
  const auto result = causal_conv1d_silu(u, o.weight, o.bias, o.context);
  EXPECT_TRUE(same_bits(result.y.narrow(1, 0, 12), whole.y.narrow(1, 0, 12)));
  EXPECT_TRUE(result.y.narrow(1, 12, 4).isnan().all().item<bool>());
  EXPECT_TRUE(same_bits(result.y.narrow(1, 16, 5), whole.y.narrow(1, 16, 5)));
}

TEST(CausalConv1d, ThreadsAndRerunsChangeNoBit) {
  const Operands o({"", 3, 33, 150, 4}, torch::kFloat);
  farstate::testing::expect_reproducible([&] {
    const auto result = o(causal_conv1d_silu);
    auto all = torch::autograd::grad({weighted_loss(result)}, o.leaves());
    all.push_back(result.y);
    return all;
  });
}

TEST(CausalConv1d, SaysWhatItWantedAndGot) {
  const Operands o({"", 2, 5, 8, 4}, torch::kFloat);
  try {
    causal_conv1d_silu(o.u, o.weight, o.bias, torch::zeros({2, 4, 8}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "causal_conv1d: wanted context [2, 3, 8] Float on cpu; got [2, 4, 8] Float on "
                 "cpu.");
  }
}

}  // namespace
}  // namespace farstate::ops
