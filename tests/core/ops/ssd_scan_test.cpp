// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/ssd_scan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.h"
#include "core/base/stop.h"
#include "core/ops/op_support.h"
#include "core/ops/state_stats.h"
#include "kernels/ssd_scan/ssd_scan.h"
#include "tests/support/gradcheck.h"
#include "tests/support/tensor_match.h"

namespace farstate::ops {
namespace {

using farstate::testing::close_to;
using farstate::testing::Operand;
using farstate::testing::rounding_tolerance;
using farstate::testing::same_bits;
using farstate::testing::SeededTensors;
using torch::Tensor;

constexpr double kNoLimit = std::numeric_limits<double>::infinity();
constexpr int64_t Q = kernels::kSsdBlock;

struct Case {
  const char* covers;
  int64_t B, T, H, P, N, G;
  double dt_shift = -1;  // mean of dt_raw
  double A = 0;          // of every head; 0: from -0.1 to -2
  double dt_min = 0, dt_max = kNoLimit;
  double h_first = 1;    // its standard deviation; 0: undefined
  bool optional = true;  // D and dt_bias are given
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.covers << " (B " << c.B << ", T " << c.T << ", H " << c.H << ", P " << c.P << ", N "
       << c.N << ", G " << c.G << ")";
}

struct Operands {
  Tensor xBC, dt_raw, A, D, dt_bias, h_first;
  SsdScanOptions options;

  std::vector<Operand> named() const {
    return {{"xBC", xBC}, {"dt_raw", dt_raw},   {"A", A},
            {"D", D},     {"dt_bias", dt_bias}, {"h_first", h_first}};
  }
  template <class Op>
  SsdScanResult operator()(const Op& op) const {
    return op(xBC, dt_raw, A, D, dt_bias, h_first, options);
  }
  // Leaves of the dtype, to take gradients of.
  Operands to(torch::ScalarType dtype) const {
    const auto leaf = [&](const Tensor& t) {
      return t.defined() ? t.detach().to(dtype, false, true).requires_grad_() : t;
    };
    return {leaf(xBC), leaf(dt_raw), leaf(A), leaf(D), leaf(dt_bias), leaf(h_first), options};
  }
};

// Numbers that float holds exactly, so that the float kernel and the double oracle see the same.
Operands make_operands(const Case& c, uint64_t seed = 7) {
  SeededTensors random(seed);
  const auto normal = [&](torch::IntArrayRef sizes) {
    return random.normal(sizes, torch::kFloat).to(torch::kDouble);
  };
  Operands o;
  o.xBC = normal({c.B, c.T, c.H * c.P + 2 * c.G * c.N});
  o.dt_raw = (normal({c.B, c.T, c.H}) + c.dt_shift).to(torch::kFloat).to(torch::kDouble);
  o.A = c.A != 0 ? torch::full({c.H}, c.A, torch::kDouble)
                 : -torch::linspace(0.1, 2, c.H, torch::kFloat).to(torch::kDouble);
  if (c.optional) {
    o.D = normal({c.H});
    o.dt_bias = normal({c.H});
  }
  if (c.h_first != 0) o.h_first = normal({c.B, c.H, c.P, c.N}) * c.h_first;
  o.options.groups = c.G;
  o.options.state_dim = c.N;
  o.options.dt_min = c.dt_min;
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

std::vector<Tensor> gradients(const Tensor& loss, const Operands& o) {
  std::vector<Tensor> leaves;
  for (const Operand& operand : o.named()) {
    if (operand.value.defined()) leaves.push_back(operand.value);
  }
  return torch::autograd::grad({loss}, leaves);
}

class SsdScanCases : public ::testing::TestWithParam<Case> {};

// The longest sums: over N (y), over P and heads (grad of B and C), over a position's whole
// state and all positions (grad of A, D, dt_bias), and the recurrence over T.
template <class Real>
farstate::testing::Tolerance tolerance(const Case& c) {
  return rounding_tolerance<Real>(c.N + c.P * c.H + c.T);
}

TEST_P(SsdScanCases, EqualsTheRecurrenceInDouble) {
  const Operands o = make_operands(GetParam()).to(torch::kDouble);
  const SsdScanResult got = o(ssd_scan), want = o(ssd_scan_naive);
  EXPECT_TRUE(close_to(got.y, want.y, tolerance<double>(GetParam())));
  EXPECT_TRUE(close_to(got.h_last, want.h_last, tolerance<double>(GetParam())));
  const auto got_grads = gradients(weighted_loss(got), o);
  const auto want_grads = gradients(weighted_loss(want), o);
  for (size_t i = 0; i < got_grads.size(); ++i) {
    EXPECT_TRUE(close_to(got_grads[i], want_grads[i], tolerance<double>(GetParam())))
        << "gradient " << i << " of xBC, dt_raw, A, D, dt_bias, h_first";
  }
}

TEST_P(SsdScanCases, EqualsTheDoubleRecurrenceInFloat) {
  const Operands oracle = make_operands(GetParam()).to(torch::kDouble);
  const Operands o = oracle.to(torch::kFloat);
  const SsdScanResult got = o(ssd_scan), want = oracle(ssd_scan_naive);
  EXPECT_TRUE(close_to(got.y, want.y, tolerance<float>(GetParam())));
  EXPECT_TRUE(close_to(got.h_last, want.h_last, tolerance<float>(GetParam())));
  const auto got_grads = gradients(weighted_loss(got), o);
  const auto want_grads = gradients(weighted_loss(want), oracle);
  for (size_t i = 0; i < got_grads.size(); ++i) {
    EXPECT_TRUE(close_to(got_grads[i], want_grads[i], tolerance<float>(GetParam())))
        << "gradient " << i << " of xBC, dt_raw, A, D, dt_bias, h_first";
  }
}

TEST_P(SsdScanCases, GradientsEqualCentralDifferences) {
  const Operands o = make_operands(GetParam()).to(torch::kDouble);
  farstate::testing::expect_gradients([&] { return weighted_loss(o(ssd_scan)); }, o.named(), 12);
}

INSTANTIATE_TEST_SUITE_P(
    Lengths, SsdScanCases,
    ::testing::Values(Case{"one position", 2, 1, 2, 8, 16, 1}, Case{"T 2", 2, 2, 2, 8, 16, 1},
                      Case{"T 3", 1, 3, 2, 8, 16, 2}, Case{"T 4", 1, 4, 2, 8, 16, 1},
                      Case{"T 5", 1, 5, 2, 8, 16, 1}, Case{"Q - 1", 1, Q - 1, 2, 4, 8, 1},
                      Case{"Q", 1, Q, 2, 4, 8, 1}, Case{"Q + 1", 1, Q + 1, 2, 4, 8, 1},
                      Case{"2 Q + 3", 2, 2 * Q + 3, 3, 4, 8, 1}));
INSTANTIATE_TEST_SUITE_P(Sizes, SsdScanCases,
                         ::testing::Values(Case{"odd P and N", 2, 9, 3, 5, 7, 1},
                                           Case{"P and N of 1", 2, 6, 2, 1, 1, 1},
                                           Case{"two vectors and a rest", 1, 6, 2, 19, 37, 1},
                                           Case{"a demo's head", 1, 20, 2, 64, 64, 1},
                                           Case{"G = 2, slices of 4 and 1", 2, 7, 10, 4, 8, 2},
                                           Case{"G = H", 2, 7, 4, 4, 8, 4},
                                           Case{"one head", 3, 7, 1, 4, 8, 1}));
INSTANTIATE_TEST_SUITE_P(
    Values, SsdScanCases,
    ::testing::Values(Case{"dt within limits", 1, 40, 4, 4, 8, 1, -1, 0, 0.05, 0.5},
                      Case{"softplus beyond 20", 1, 9, 2, 4, 8, 1, 25},
                      Case{"tiny dt", 1, 40, 2, 4, 8, 1, -12},
                      Case{"slow decay", 1, Q + 9, 2, 4, 8, 1, 0, -1e-4},
                      Case{"fast decay", 1, Q + 9, 2, 4, 8, 1, 0, -16},
                      Case{"nothing is kept", 1, Q + 9, 2, 4, 8, 1, 2, -100},
                      Case{"huge initial state", 1, 20, 2, 4, 8, 1, -1, 0, 0, kNoLimit, 1e4},
                      Case{"no initial state", 1, 20, 2, 4, 8, 1, -1, 0, 0, kNoLimit, 0},
                      Case{"no D and no dt_bias", 1, 20, 2, 4, 8, 1, -1, 0, 0, kNoLimit, 1,
                           false}));

// Gradients that enter through one of the two results only.
TEST(SsdScan, TakesEitherGradientAlone) {
  const Operands o = make_operands({"", 2, Q + 2, 2, 4, 8, 1}).to(torch::kDouble);
  for (const bool through_state : {false, true}) {
    const auto loss = [&](const SsdScanResult& result) {
      return through_state ? result.h_last.square().sum() : result.y.square().sum();
    };
    const auto leaves = std::vector<Tensor>{o.xBC, o.dt_raw, o.A, o.dt_bias, o.h_first};
    const auto got = torch::autograd::grad({loss(o(ssd_scan))}, leaves);
    const auto want = torch::autograd::grad({loss(o(ssd_scan_naive))}, leaves);
    for (size_t i = 0; i < got.size(); ++i) {
      EXPECT_TRUE(close_to(got[i], want[i], rounding_tolerance<double>(200))) << i;
    }
  }
}

// The slice [begin, end) of the positions, and another state to start from.
Operands slice(const Operands& o, int64_t begin, int64_t end, const Tensor& h_first) {
  Operands part = o;
  part.xBC = o.xBC.narrow(1, begin, end - begin);
  part.dt_raw = o.dt_raw.narrow(1, begin, end - begin);
  part.h_first = h_first;
  return part;
}

class SsdScanFloat : public ::testing::Test {
 protected:
  const at::NoGradGuard no_grad;
  const Operands o = make_operands({"", 2, 2 * Q + 9, 6, 12, 20, 2}).to(torch::kFloat);
  const SsdScanResult whole = o(ssd_scan);
};

TEST_F(SsdScanFloat, PiecesEqualTheWholeToTheBit) {
  const int64_t T = o.xBC.size(1);
  for (const int64_t cut : {int64_t{1}, int64_t{2}, int64_t{7}, Q - 1, Q, Q + 1, T - 1}) {
    const SsdScanResult head = slice(o, 0, cut, o.h_first)(ssd_scan);
    const SsdScanResult tail = slice(o, cut, T, head.h_last)(ssd_scan);
    EXPECT_TRUE(same_bits(torch::cat({head.y, tail.y}, 1), whole.y)) << "cut at " << cut;
    EXPECT_TRUE(same_bits(tail.h_last, whole.h_last)) << "cut at " << cut;
  }
}

TEST_F(SsdScanFloat, StepsEqualTheScanToTheBit) {
  Tensor h = o.h_first.detach().clone();
  for (int64_t t = 0; t < o.xBC.size(1); ++t) {
    const Tensor y =
        ssd_step(o.xBC.select(1, t), o.dt_raw.select(1, t), o.A, o.D, o.dt_bias, h, o.options);
    ASSERT_TRUE(same_bits(y, whole.y.select(1, t))) << "position " << t;
  }
  EXPECT_TRUE(same_bits(h, whole.h_last));
}

TEST_F(SsdScanFloat, RecordingForBackwardChangesNoBit) {
  const at::AutoGradMode with_grad(true);
  const SsdScanResult recorded = o(ssd_scan);
  EXPECT_TRUE(same_bits(recorded.y, whole.y));
  EXPECT_TRUE(same_bits(recorded.h_last, whole.h_last));
}

TEST_F(SsdScanFloat, LaterInputsChangeNoEarlierOutput) {
  const int64_t at = Q + 3;
  Operands changed = o;
  changed.xBC = o.xBC.clone();
  changed.dt_raw = o.dt_raw.clone();
  changed.xBC.narrow(1, at, 1).fill_(std::numeric_limits<float>::quiet_NaN());
  changed.dt_raw.narrow(1, at, 1).fill_(3);
  const SsdScanResult result = changed(ssd_scan);
  EXPECT_TRUE(same_bits(result.y.narrow(1, 0, at), whole.y.narrow(1, 0, at)));
  EXPECT_TRUE(result.y.narrow(1, at, 1).isnan().all().item<bool>());
}

TEST_F(SsdScanFloat, BatchRowsDoNotMeet) {
  Operands swapped = o;
  swapped.xBC = o.xBC.flip(0);
  swapped.dt_raw = o.dt_raw.flip(0);
  swapped.h_first = o.h_first.flip(0);
  const SsdScanResult result = swapped(ssd_scan);
  EXPECT_TRUE(same_bits(result.y.flip(0), whole.y));
  EXPECT_TRUE(same_bits(result.h_last.flip(0), whole.h_last));
}

TEST_F(SsdScanFloat, ViewsOfWiderRowsEqualCopies) {
  const Tensor wide = torch::randn({2, o.xBC.size(1), 5 + o.xBC.size(2) + 6});
  wide.narrow(2, 5, o.xBC.size(2)).copy_(o.xBC);
  wide.narrow(2, 5 + o.xBC.size(2), 6).copy_(o.dt_raw);
  Operands views = o;
  views.xBC = wide.narrow(2, 5, o.xBC.size(2));
  views.dt_raw = wide.narrow(2, 5 + o.xBC.size(2), 6);
  EXPECT_TRUE(same_bits(views(ssd_scan).y, whole.y));
  views.xBC = o.xBC.permute({2, 0, 1}).contiguous().permute({1, 2, 0});  // last dim strided
  EXPECT_TRUE(same_bits(views(ssd_scan).y, whole.y));
}

TEST_F(SsdScanFloat, StatisticsAreThoseOfTheState) {
  Operands measured = o;
  measured.options.stat_positions = {0, 1, 30, Q - 1, Q, 2 * Q + 8};
  const SsdScanResult result = measured(ssd_scan);
  EXPECT_TRUE(same_bits(result.y, whole.y));
  for (size_t k = 0; k < measured.options.stat_positions.size(); ++k) {
    const int64_t read = measured.options.stat_positions[k] + 1;
    const Tensor want = state_stats(slice(o, 0, read, o.h_first)(ssd_scan).h_last);
    // Sums of P x N doubles in another order.
    EXPECT_TRUE(close_to(result.stats.select(1, static_cast<int64_t>(k)), want,
                         rounding_tolerance<double>(12 * 20)));
  }
  EXPECT_TRUE(close_to(result.stats, measured.to(torch::kDouble)(ssd_scan_naive).stats,
                       rounding_tolerance<float>(2 * Q)));
}

TEST_F(SsdScanFloat, ZeroStepLeavesTheStateAlone) {
  Operands still = o;
  still.options.dt_max = 0;
  EXPECT_TRUE(same_bits(still(ssd_scan).h_last, o.h_first));
}

TEST(SsdScan, ThreadsAndRerunsChangeNoBit) {
  const Operands o = make_operands({"", 3, Q + 5, 10, 12, 20, 2}).to(torch::kFloat);
  farstate::testing::expect_reproducible([&] {
    const SsdScanResult result = o(ssd_scan);
    std::vector<Tensor> all = gradients(weighted_loss(result), o);
    all.push_back(result.y);
    all.push_back(result.h_last);
    return all;
  });
}

TEST(SsdScan, BatchOrderChangesNoRowsGradient) {
  const Operands o = make_operands({"", 3, Q + 5, 5, 12, 20, 1}).to(torch::kFloat);
  Operands swapped = o;
  swapped.xBC = o.xBC.detach().flip(0).requires_grad_();
  swapped.dt_raw = o.dt_raw.detach().flip(0).requires_grad_();
  swapped.h_first = o.h_first.detach().flip(0).requires_grad_();
  const auto square = [](const Operands& operands) {
    const SsdScanResult result = operands(ssd_scan);
    return result.y.square().sum() + result.h_last.square().sum();
  };
  const auto got = gradients(square(swapped), swapped), want = gradients(square(o), o);
  EXPECT_TRUE(same_bits(got[0].flip(0), want[0]));
  EXPECT_TRUE(same_bits(got[1].flip(0), want[1]));
  EXPECT_TRUE(same_bits(got[5].flip(0), want[5]));
}

TEST(SsdScan, ReportsWhatIsNotFinite) {
  const at::NoGradGuard no_grad;
  Operands o = make_operands({"", 1, 5, 2, 4, 8, 1}).to(torch::kFloat);
  o.h_first[0][1][2][3] = std::numeric_limits<float>::infinity();
  o.options.stat_positions = {4};
  const SsdScanResult result = o(ssd_scan);
  EXPECT_EQ(result.stats[0][0][0][3].item<double>(), 0);
  EXPECT_EQ(result.stats[0][0][1][3].item<double>(), 1);
  EXPECT_TRUE(result.stats.isfinite().all().item<bool>());
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInternal);
    return error.what();
  }
  return "";
}

TEST(SsdScan, SaysWhatItWantedAndGot) {
  const Operands good = make_operands({"", 2, 3, 4, 4, 8, 2}).to(torch::kFloat);
  Operands bad = good;
  bad.A = torch::zeros({3});
  EXPECT_EQ(message_of([&] { bad(ssd_scan); }),
            "ssd_scan: wanted A [4] Float on cpu; got [3] Float on cpu.");
  bad = good;
  bad.options.groups = 3;
  EXPECT_THAT(message_of([&] { bad(ssd_scan); }), ::testing::HasSubstr("G = 3, a width of 48"));
  bad = good;
  bad.h_first = good.h_first.to(torch::kDouble);
  EXPECT_THAT(message_of([&] { bad(ssd_scan); }), ::testing::HasSubstr("wanted h_first"));
  bad = good;
  bad.options.stat_positions = {2, 1};
  EXPECT_THAT(message_of([&] { bad(ssd_scan); }), ::testing::HasSubstr("ascending"));
  bad = good;
  bad.dt_raw = Tensor();
  EXPECT_THAT(message_of([&] { bad(ssd_scan); }), ::testing::HasSubstr("got no tensor"));
  EXPECT_THAT(message_of([&] {
                Tensor h = good.h_first;
                ssd_step(good.xBC.select(1, 0), good.dt_raw.select(1, 0), good.A, good.D,
                         good.dt_bias, h, good.options);
              }),
              ::testing::HasSubstr("without gradients"));
}

TEST(SsdScan, RefusesASecondDerivative) {
  const Operands o = make_operands({"", 1, 3, 2, 4, 8, 1}).to(torch::kFloat);
  EXPECT_THAT(
      message_of([&] { torch::autograd::grad({o(ssd_scan).y.sum()}, {o.xBC}, {}, true, true); }),
      ::testing::HasSubstr("first derivative"));
}

TEST(SsdScan, StopsInBothDirections) {
  const Operands o = make_operands({"", 1, 3, 2, 4, 8, 1}).to(torch::kFloat);
  const Tensor loss = o(ssd_scan).y.sum();
  std::stop_source source;
  const StopScope scope(source.get_token());
  source.request_stop();
  EXPECT_THROW(o(ssd_scan), Error);
  EXPECT_THROW(torch::autograd::grad({loss}, {o.xBC}), Error);
}

}  // namespace
}  // namespace farstate::ops
