// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/gated_rmsnorm.h"

#include <gtest/gtest.h>

#include "core/base/error.h"
#include "kernels/gated_rmsnorm/gated_rmsnorm.h"
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
  int64_t rows, C, G;
  bool gate = true;
  double scale = 1;  // of y
  // A group of one normalises to its sign: its gradient is what eps leaves of two equal terms,
  // which a small eps would make all rounding.
  double eps = 1e-5;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.covers << " (rows " << c.rows << ", C " << c.C << ", G " << c.G << ")";
}

struct Operands {
  Tensor y, z, weight;
  int64_t groups;
  double eps;

  explicit Operands(const Case& c, torch::ScalarType dtype = torch::kDouble)
      : groups(c.G), eps(c.eps) {
    SeededTensors random(3);
    const auto leaf = [&](torch::IntArrayRef sizes, double scale) {
      return (random.normal(sizes, torch::kFloat) * scale).to(dtype).requires_grad_();
    };
    y = leaf({c.rows, c.C}, c.scale);
    if (c.gate) z = leaf({c.rows, c.C}, 1);
    weight = leaf({c.C}, 1);
  }
  template <class Op>
  Tensor operator()(const Op& op) const {
    return op(y, z, weight, groups, eps);
  }
  std::vector<Tensor> leaves() const {
    return z.defined() ? std::vector<Tensor>{y, weight, z} : std::vector<Tensor>{y, weight};
  }
};

Tensor weighted_loss(const Tensor& out) {
  return (out * SeededTensors(11).normal(out.sizes(), out.scalar_type())).sum();
}

class GatedRmsNormCases : public ::testing::TestWithParam<Case> {};

template <class Real>
void expect_equals_naive(const Case& c, torch::ScalarType dtype) {
  const Operands o(c, dtype), oracle(c, torch::kDouble);
  const auto tolerance = rounding_tolerance<Real>(c.C + c.rows);  // the sums over C and over rows
  const Tensor got = o(gated_rmsnorm), want = oracle(gated_rmsnorm_naive);
  EXPECT_TRUE(close_to(got, want, tolerance));
  const auto got_grads = torch::autograd::grad({weighted_loss(got)}, o.leaves());
  const auto want_grads = torch::autograd::grad({weighted_loss(want)}, oracle.leaves());
  for (size_t i = 0; i < got_grads.size(); ++i) {
    EXPECT_TRUE(close_to(got_grads[i], want_grads[i], tolerance)) << "gradient " << i;
  }
}

TEST_P(GatedRmsNormCases, EqualsPlainOperationsInDouble) {
  expect_equals_naive<double>(GetParam(), torch::kDouble);
}

TEST_P(GatedRmsNormCases, EqualsDoubleOperationsInFloat) {
  expect_equals_naive<float>(GetParam(), torch::kFloat);
}

TEST_P(GatedRmsNormCases, GradientsEqualCentralDifferences) {
  const Operands o(GetParam());
  farstate::testing::expect_gradients([&] { return weighted_loss(o(gated_rmsnorm)); },
                                      {{"y", o.y}, {"z", o.z}, {"weight", o.weight}});
}

INSTANTIATE_TEST_SUITE_P(Sizes, GatedRmsNormCases,
                         ::testing::Values(Case{"gated", 5, 64, 1},
                                           Case{"no gate", 5, 64, 1, false},
                                           Case{"two groups", 5, 64, 2},
                                           Case{"odd groups", 4, 39, 3},
                                           Case{"groups of one", 4, 7, 7, true, 1, 0.5},
                                           Case{"one channel", 4, 1, 1, true, 1, 0.5},
                                           Case{"rows of two tasks", kernels::kNormRows + 3, 24, 1},
                                           Case{"smaller than eps", 4, 32, 1, true, 1e-4},
                                           Case{"large", 4, 32, 1, true, 1e4}));

TEST(GatedRmsNorm, StridedRowsAndLeadingDimensionsEqualCopies) {
  const at::NoGradGuard no_grad;
  const Tensor wide = SeededTensors(1).normal({2, 3, 100}, torch::kFloat);
  const Tensor y = wide.narrow(2, 3, 40), z = wide.narrow(2, 50, 40),
               weight = wide[0][0].slice(0, 0, 40);
  const Tensor got = gated_rmsnorm(y, z, weight, 2, 1e-5);
  EXPECT_EQ(got.sizes(), y.sizes());
  EXPECT_TRUE(same_bits(got, gated_rmsnorm(y.contiguous(), z.contiguous(), weight, 2, 1e-5)));
  EXPECT_TRUE(same_bits(got.transpose(0, 1),
                        gated_rmsnorm(y.transpose(0, 1), z.transpose(0, 1), weight, 2, 1e-5)));
}

TEST(GatedRmsNorm, ThreadsAndRerunsChangeNoBit) {
  const Operands o({"", 3 * kernels::kNormRows, 150, 3}, torch::kFloat);
  farstate::testing::expect_reproducible([&] {
    const Tensor out = o(gated_rmsnorm);
    auto all = torch::autograd::grad({weighted_loss(out)}, o.leaves());
    all.push_back(out);
    return all;
  });
}

TEST(GatedRmsNorm, SaysWhatItWantedAndGot) {
  const Operands o({"", 2, 8, 1}, torch::kFloat);
  try {
    gated_rmsnorm(o.y, o.z, o.weight, 3, 1e-5);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "gated_rmsnorm: wanted C a multiple of the groups; got C = 8, groups = 3.");
  }
}

}  // namespace
}  // namespace farstate::ops
