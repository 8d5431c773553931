// SPDX-License-Identifier: GPL-3.0-or-later
// The scan of the devices that have no kernel of ours, run on the CPU against the literal recurrence.
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "core/ops/on_device.h"
#include "core/ops/state_stats.h"
#include "tests/support/gradcheck.h"
#include "tests/support/tensor_match.h"

namespace farstate::ops {
namespace {

using farstate::testing::close_to;
using farstate::testing::rounding_tolerance;
using farstate::testing::SeededTensors;
using torch::Tensor;

struct Case {
  const char* covers;
  int64_t B, T, H, P, N, G;
  double A = 0;  // of every head; 0: from -0.1 to -2
  double dt_max = std::numeric_limits<double>::infinity();
  bool optional = true;  // D, dt_bias and h_first are given
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.covers; }

struct Operands {
  std::vector<Tensor> values;  // xBC, dt_raw, A, D, dt_bias, h_first
  SsdScanOptions options;

  Operands to(torch::ScalarType dtype) const {
    Operands result{{}, options};
    for (const Tensor& t : values) {
      result.values.push_back(t.defined() ? t.detach().to(dtype, false, true).requires_grad_() : t);
    }
    return result;
  }
  template <class Scan>
  SsdScanResult run(const Scan& scan) const {
    return scan(values[0], values[1], values[2], values[3], values[4], values[5], options);
  }
  std::vector<Tensor> leaves() const {
    std::vector<Tensor> all;
    for (const Tensor& t : values) {
      if (t.defined()) all.push_back(t);
    }
    return all;
  }
};

Operands make_operands(const Case& c) {
  SeededTensors random(7);
  const auto normal = [&](torch::IntArrayRef sizes) {
    return random.normal(sizes, torch::kFloat).to(torch::kDouble);
  };
  Operands o;
  o.values = {normal({c.B, c.T, c.H * c.P + 2 * c.G * c.N}),
              normal({c.B, c.T, c.H}) - 1,
              c.A != 0 ? torch::full({c.H}, c.A, torch::kDouble)
                       : -torch::linspace(0.1, 2, c.H, torch::kFloat).to(torch::kDouble),
              c.optional ? normal({c.H}) : Tensor(),
              c.optional ? normal({c.H}) : Tensor(),
              c.optional ? normal({c.B, c.H, c.P, c.N}) : Tensor()};
  o.options.groups = c.G;
  o.options.state_dim = c.N;
  o.options.dt_max = c.dt_max;
  return o;
}

// A scalar that both results reach, with weights that no symmetry hides behind.
Tensor weighted_loss(const SsdScanResult& result) {
  SeededTensors random(11);
  const auto dtype = result.y.scalar_type();
  return (result.y * random.normal(result.y.sizes(), dtype)).sum() +
         (result.h_last * random.normal(result.h_last.sizes(), dtype)).sum();
}

class SsdScanAten : public ::testing::TestWithParam<Case> {
 protected:
  // The longest sums: over N, over P and heads, and the recurrence over T, with the products of a
  // chunk on top.
  template <class Real>
  void expect_equal_to_recurrence() const {
    const Case& c = GetParam();
    const auto tolerance = rounding_tolerance<Real>(c.N + c.P * c.H + 2 * c.T + 64);
    const Operands oracle = make_operands(c).to(torch::kDouble);
    const Operands o = oracle.to(torch::CppTypeToScalarType<Real>::value);
    const SsdScanResult got = o.run(ssd_scan_aten), want = oracle.run(ssd_scan_naive);
    EXPECT_TRUE(close_to(got.y, want.y, tolerance));
    EXPECT_TRUE(close_to(got.h_last, want.h_last, tolerance));
    const auto got_grads = torch::autograd::grad({weighted_loss(got)}, o.leaves());
    const auto want_grads = torch::autograd::grad({weighted_loss(want)}, oracle.leaves());
    for (size_t i = 0; i < got_grads.size(); ++i) {
      EXPECT_TRUE(close_to(got_grads[i], want_grads[i], tolerance))
          << "gradient " << i << " of those given of xBC, dt_raw, A, D, dt_bias, h_first";
    }
  }
};

TEST_P(SsdScanAten, EqualsTheRecurrenceInDouble) { expect_equal_to_recurrence<double>(); }
TEST_P(SsdScanAten, EqualsTheDoubleRecurrenceInFloat) { expect_equal_to_recurrence<float>(); }

INSTANTIATE_TEST_SUITE_P(
    Cases, SsdScanAten,
    ::testing::Values(Case{"one position", 2, 1, 2, 8, 16, 1}, Case{"T 63", 1, 63, 2, 4, 8, 1},
                      Case{"T 64", 1, 64, 2, 4, 8, 1}, Case{"T 65, G 2", 2, 65, 4, 5, 7, 2},
                      Case{"three chunks, G = H", 1, 130, 3, 4, 9, 3},
                      Case{"P and N of 1", 2, 66, 2, 1, 1, 1},
                      Case{"slow decay", 1, 70, 2, 4, 8, 1, -1e-4},
                      Case{"nothing is kept", 1, 70, 2, 4, 8, 1, -100},
                      Case{"dt at its limit", 1, 70, 2, 4, 8, 1, 0, 0.3},
                      Case{"nothing optional", 1, 70, 2, 4, 8, 1, 0, 10, false}));

TEST(SsdScanAtenStats, AreThoseOfTheRecurrenceAtAnyPosition) {
  Operands o = make_operands({"", 2, 130, 4, 5, 7, 2}).to(torch::kDouble);
  o.options.stat_positions = {0, 1, 63, 64, 100, 127, 128, 129};
  const SsdScanResult got = o.run(ssd_scan_aten), want = o.run(ssd_scan_naive);
  EXPECT_TRUE(close_to(got.stats, want.stats, rounding_tolerance<double>(500)));
  EXPECT_FALSE(got.stats.requires_grad());
}

// A decay in a chunk that falls by 100 e-foldings at one position and hardly at any other: sums of
// the whole chunk would lose the rest's digits.
TEST(SsdScanAtenStability, KeepsSmallDecaysBesideALargeOne) {
  Operands o = make_operands({"", 1, 64, 1, 3, 4, 1, -1});
  o.values[1].fill_(-9);
  o.values[1][0][5] = 100;
  o.values[3] = o.values[4] = Tensor();
  const Operands oracle = o.to(torch::kDouble), in_float = o.to(torch::kFloat);
  EXPECT_TRUE(close_to(in_float.run(ssd_scan_aten).y, oracle.run(ssd_scan_naive).y,
                       rounding_tolerance<float>(64)));
}

TEST(SsdStepAten, IsTheRecurrencesNextPosition) {
  const at::NoGradGuard no_grad;
  const Operands o = make_operands({"", 3, 1, 4, 5, 7, 2});
  const SsdScanResult want = o.run(ssd_scan_naive);
  Tensor h = o.values[5].clone();
  const Tensor y = ssd_step_aten(o.values[0].squeeze(1), o.values[1].squeeze(1), o.values[2],
                                 o.values[3], o.values[4], h, o.options);
  EXPECT_TRUE(close_to(y, want.y.squeeze(1), rounding_tolerance<double>(8)));
  EXPECT_TRUE(close_to(h, want.h_last, rounding_tolerance<double>(8)));
}

TEST(StateStatsAten, CountsWhatIsNotFiniteAndLeavesItOut) {
  Tensor h = SeededTensors(3).normal({2, 3, 5, 7}, torch::kFloat);
  h[0][1][2][3] = std::numeric_limits<float>::infinity();
  h[1][2][0][0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(close_to(state_stats_aten(h), state_stats(h), rounding_tolerance<double>(40)));
}

}  // namespace
}  // namespace farstate::ops
