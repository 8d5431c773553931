// SPDX-License-Identifier: GPL-3.0-or-later
// The CUDA scan in the emulator (tests/cuda/emulator.h), against the recurrence in double precision.
#include "kernels/ssd_scan/ssd_scan_cuda.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cmath>
#include <functional>
#include <string>

#include "tests/cuda/emulator.h"
#include "tests/support/guarded_buffer.h"
#include "tests/support/ssd_oracle.h"
#include "tests/support/tolerance.h"

namespace farstate::kernels::cuda {
namespace {

using farstate::testing::close_to;
using farstate::testing::Doubles;
using farstate::testing::GuardedBuffer;
using farstate::testing::rounding_tolerance;
using farstate::testing::SsdOracle;
using farstate::testing::Tolerance;
using farstate::testing::emulator::set_schedule;

constexpr SsdScanSizes sizes(int64_t B, int64_t T, int64_t H, int64_t P, int64_t N, int64_t G,
                             double dt_min = 0, double dt_max = 1e30) {
  return {B, T, H, P, N, G, dt_min, dt_max};
}

std::string name(const SsdScanSizes& s) {
  return "B " + std::to_string(s.B) + " T " + std::to_string(s.T) + " H " + std::to_string(s.H) +
         " P " + std::to_string(s.P) + " N " + std::to_string(s.N) + " G " + std::to_string(s.G);
}

// Operands in rows with gaps of NaN between them, results and workspace in memory that starts as
// NaN.
struct Scan {
  SsdScanSizes s;
  int64_t gap;
  int64_t width = s.H * s.P + 2 * s.G * s.N, row = width + gap;
  int64_t chunks = (s.T + kSsdChunk - 1) / kSsdChunk, state = s.B * s.H * s.P * s.N;
  std::vector<int64_t> positions;
  GuardedBuffer<float> xBC{s.B * s.T * row}, dt_raw{s.B * s.T * (s.H + gap)};
  GuardedBuffer<float> A{s.H}, D{s.H}, dt_bias{s.H}, h_first{state};
  GuardedBuffer<float> y{s.B * s.T * s.H * s.P}, h_last{state}, block_states{state * chunks};
  GuardedBuffer<double> stats{s.B * s.T * s.H * 4};
  GuardedBuffer<float> grad_y{s.B * s.T * (s.H * s.P + gap)}, grad_h_last{state};
  GuardedBuffer<float> grad_xBC{s.B * s.T * row}, grad_dt_raw{s.B * s.T * s.H}, grad_h_first{state};
  GuardedBuffer<double> grad_A{s.B * s.H}, grad_D{s.B * s.H}, grad_dt_bias{s.B * s.H};
  GuardedBuffer<float> forward_workspace{ssd_scan_forward_workspace(s) / 4};
  GuardedBuffer<float> backward_workspace{ssd_scan_backward_workspace(s) / 4};

  explicit Scan(const SsdScanSizes& of, int64_t gap_of_rows = 3) : s(of), gap(gap_of_rows) {
    for (const int64_t t : {int64_t{0}, s.T / 2, s.T - 2, s.T - 1}) {
      if (t >= 0 && (positions.empty() || t > positions.back())) positions.push_back(t);
    }
    xBC.fill_normal(1, 0, 1, width, row);
    dt_raw.fill_normal(2, -1, 1, s.H, s.H + gap);
    A.fill_normal(3, -1, 0.1);
    D.fill_normal(4);
    dt_bias.fill_normal(5);
    h_first.fill_normal(6);
    grad_y.fill_normal(7, 0, 1, s.H * s.P, s.H * s.P + gap);
    grad_h_last.fill_normal(8);
  }

  SsdScanInputs<float> inputs() {
    SsdScanInputs<float> in;
    in.sizes = s;
    in.x = xBC.data();
    in.B = in.x + s.H * s.P;
    in.C = in.B + s.G * s.N;
    in.xBC_stride_b = s.T * row;
    in.xBC_stride_t = row;
    in.dt_raw = dt_raw.data();
    in.dt_stride_b = s.T * (s.H + gap);
    in.dt_stride_t = s.H + gap;
    in.A = A.data();
    in.D = D.data();
    in.dt_bias = dt_bias.data();
    return in;
  }

  SsdScanForward<float> forward() {
    SsdScanForward<float> args;
    args.in = inputs();
    args.h_first = h_first.data();
    args.y = y.data();
    args.h_last = h_last.data();
    args.block_states = block_states.data();
    args.stat_positions = positions.data();
    args.K = static_cast<int64_t>(positions.size());
    args.stats = stats.data();
    return args;
  }

  SsdScanBackward<float> backward() {
    SsdScanBackward<float> args;
    args.in = inputs();
    args.block_states = block_states.data();
    args.grad_y = grad_y.data();
    args.grad_y_stride_b = s.T * (s.H * s.P + gap);
    args.grad_y_stride_t = s.H * s.P + gap;
    args.grad_h_last = grad_h_last.data();
    args.grad_x = grad_xBC.data();
    args.grad_B = args.grad_x + s.H * s.P;
    args.grad_C = args.grad_B + s.G * s.N;
    args.grad_xBC_stride_b = s.T * row;
    args.grad_xBC_stride_t = row;
    args.grad_dt_raw = grad_dt_raw.data();
    args.grad_h_first = grad_h_first.data();
    args.grad_A = grad_A.data();
    args.grad_D = grad_D.data();
    args.grad_dt_bias = grad_dt_bias.data();
    return args;
  }

  void run(MatrixInputs products = MatrixInputs::kFp32) {
    ssd_scan_forward(forward(), products, forward_workspace.data(), {});
    ssd_scan_backward(backward(), products, backward_workspace.data(), {});
  }

  bool fences_intact() const {
    return y.fences_intact() && h_last.fences_intact() && block_states.fences_intact() &&
           stats.fences_intact() && grad_xBC.fences_intact() && grad_dt_raw.fences_intact() &&
           grad_h_first.fences_intact() && grad_A.fences_intact() && grad_D.fences_intact() &&
           grad_dt_bias.fences_intact() && forward_workspace.fences_intact() &&
           backward_workspace.fences_intact();
  }

  bool same_bits(const Scan& other) const {
    return y.same_bits(other.y) && h_last.same_bits(other.h_last) &&
           block_states.same_bits(other.block_states) && stats.same_bits(other.stats) &&
           grad_xBC.same_bits(other.grad_xBC) && grad_dt_raw.same_bits(other.grad_dt_raw) &&
           grad_h_first.same_bits(other.grad_h_first) && grad_A.same_bits(other.grad_A) &&
           grad_D.same_bits(other.grad_D) && grad_dt_bias.same_bits(other.grad_dt_bias);
  }
};

// Columns [first, first + width) of rows `stride` apart, one after another.
template <class Number>
Doubles columns(const GuardedBuffer<Number>& from, int64_t first, int64_t width, int64_t stride) {
  Doubles to;
  for (int64_t at = first; at < from.size(); at += stride) {
    to.insert(to.end(), from.data() + at, from.data() + at + width);
  }
  return to;
}

template <class Number>
Doubles all(const GuardedBuffer<Number>& from) {
  return columns(from, 0, from.size(), std::max<int64_t>(from.size(), 1));
}

SsdOracle oracle_of(const Scan& scan) {
  const SsdScanSizes& s = scan.s;
  const int64_t x = s.H * s.P, group = s.G * s.N;
  SsdOracle oracle(s);
  oracle.x = columns(scan.xBC, 0, x, scan.row);
  oracle.B = columns(scan.xBC, x, group, scan.row);
  oracle.C = columns(scan.xBC, x + group, group, scan.row);
  oracle.dt_raw = columns(scan.dt_raw, 0, s.H, s.H + scan.gap);
  oracle.A = all(scan.A);
  oracle.D = all(scan.D);
  oracle.dt_bias = all(scan.dt_bias);
  oracle.h_first = all(scan.h_first);
  oracle.grad_y = columns(scan.grad_y, 0, x, x + scan.gap);
  oracle.grad_h_last = all(scan.grad_h_last);
  return oracle;
}

// Of a result: what rounding the products' inputs leaves. Between an operand and a result lie at
// most five roundings of inputs (x, B, C, C B^T weighted, its gradient). Each is off by 2^-11
// (tf32) or 2^-9 (bf16) at most, evenly distributed, so by 1/sqrt(3) of that in the mean; terms of
// either sign add up as they do in the result. Factor 4 for sums smaller than their terms by a few
// times. fp32: sums of up to 256 + 64 terms in a row.
Tolerance tolerance_of(MatrixInputs products) {
  if (products == MatrixInputs::kFp32) return rounding_tolerance<float>(320);
  const double unit = products == MatrixInputs::kTf32 ? 0x1p-11 : 0x1p-9;
  const double rms = 4 * std::sqrt(5.0 / 3) * unit;
  return {rms, 6 * rms, std::numeric_limits<float>::min()};
}

void expect_close(const Doubles& got, const Doubles& want, Tolerance tolerance, const char* what) {
  ASSERT_EQ(got.size(), want.size()) << what;
  EXPECT_TRUE(close_to(got.data(), want.data(), static_cast<int64_t>(want.size()), tolerance)) << what;
}

void expect_statistics(const Scan& scan, const SsdOracle& oracle, Tolerance tolerance) {
  const SsdScanSizes& s = scan.s;
  const auto K = static_cast<int64_t>(scan.positions.size());
  for (int64_t b = 0; b < s.B; ++b) {
    for (int64_t k = 0; k < K; ++k) {
      for (int64_t head = 0; head < s.H; ++head) {
        const double* const h = oracle.h.data() + oracle.state_at(b, scan.positions[k] + 1, head);
        const double* const got = scan.stats.data() + ((b * K + k) * s.H + head) * 4;
        double sum = 0, sum_abs = 0, sum_squares = 0, max_abs = 0;
        for (int64_t i = 0; i < oracle.state_size(); ++i) {
          sum += h[i];
          sum_abs += std::abs(h[i]);
          sum_squares += h[i] * h[i];
          max_abs = std::max(max_abs, std::abs(h[i]));
        }
        // A sum is off by no more than its terms together, a square by twice as much as its root.
        EXPECT_NEAR(got[0], sum, tolerance.max_ratio * sum_abs + 1e-30);
        EXPECT_NEAR(got[1], sum_squares, 2 * tolerance.max_ratio * sum_squares + 1e-30);
        EXPECT_NEAR(got[2], max_abs, tolerance.max_ratio * max_abs + 1e-30);
        EXPECT_EQ(got[3], 0);
      }
    }
  }
}

void expect_forward(const Scan& scan, const SsdOracle& oracle, Tolerance tolerance) {
  const SsdScanSizes& s = scan.s;
  Doubles h_last, block_states;
  for (int64_t b = 0; b < s.B; ++b) {
    for (int64_t head = 0; head < s.H; ++head) {
      const auto state = [&](int64_t t) { return oracle.h.begin() + oracle.state_at(b, t, head); };
      h_last.insert(h_last.end(), state(s.T), state(s.T) + oracle.state_size());
      for (int64_t c = 0; c < scan.chunks; ++c) {
        const auto entering = state(c * kSsdChunk);
        block_states.insert(block_states.end(), entering, entering + oracle.state_size());
      }
    }
  }
  expect_close(all(scan.y), oracle.y, tolerance, "y");
  expect_close(all(scan.h_last), h_last, tolerance, "h_last");
  expect_close(all(scan.block_states), block_states, tolerance, "block_states");
  expect_statistics(scan, oracle, tolerance);
}

void expect_backward(const Scan& scan, const SsdOracle& oracle, Tolerance tolerance) {
  const SsdScanSizes& s = scan.s;
  const int64_t x = s.H * s.P, group = s.G * s.N;
  expect_close(columns(scan.grad_xBC, 0, x, scan.row), oracle.grad_x, tolerance, "grad_x");
  expect_close(columns(scan.grad_xBC, x, group, scan.row), oracle.grad_B, tolerance, "grad_B");
  expect_close(columns(scan.grad_xBC, x + group, group, scan.row), oracle.grad_C, tolerance, "grad_C");
  expect_close(all(scan.grad_dt_raw), oracle.grad_dt_raw, tolerance, "grad_dt_raw");
  expect_close(all(scan.grad_h_first), oracle.grad_h_first, tolerance, "grad_h_first");
  expect_close(all(scan.grad_A), oracle.grad_A, tolerance, "grad_A");
  expect_close(all(scan.grad_D), oracle.grad_D, tolerance, "grad_D");
  expect_close(all(scan.grad_dt_bias), oracle.grad_dt_bias, tolerance, "grad_dt_bias");
}

// Runs the scan and its reverse and compares everything.
void expect_match(Scan& scan, MatrixInputs products = MatrixInputs::kFp32) {
  SCOPED_TRACE(name(scan.s) + ", products " + std::to_string(static_cast<int>(products)));
  scan.run(products);
  SsdOracle oracle = oracle_of(scan);
  oracle.forward();
  oracle.backward();
  expect_forward(scan, oracle, tolerance_of(products));
  expect_backward(scan, oracle, tolerance_of(products));
  EXPECT_TRUE(scan.fences_intact());
}

class SsdScanCuda : public ::testing::Test {
 protected:
  void SetUp() override { set_schedule(2); }
  void TearDown() override { set_schedule(0); }
};

// ----- the oracle

TEST(SsdOracle, GradientsAreDifferenceQuotients) {
  Scan scan(sizes(1, 5, 4, 2, 3, 2, 0.05, 1.5));
  SsdOracle oracle = oracle_of(scan);
  const auto loss = [&] {
    oracle.forward();
    double sum = 0;
    for (size_t i = 0; i < oracle.y.size(); ++i) sum += oracle.y[i] * oracle.grad_y[i];
    for (size_t i = 0; i < oracle.grad_h_last.size(); ++i) {
      sum += oracle.h[oracle.state_at(0, 5, 0) + i] * oracle.grad_h_last[i];
    }
    return sum;
  };
  loss();
  oracle.backward();
  const auto expect_gradient = [&](Doubles& operand, const Doubles& gradient, const char* what) {
    for (size_t i = 0; i < operand.size(); ++i) {
      const double kept = operand[i], step = 1e-5;
      operand[i] = kept + step;
      const double above = loss();
      operand[i] = kept - step;
      const double below = loss();
      operand[i] = kept;
      // Third derivative times step^2, and rounding over step: both below 1e-8 of values near 1.
      EXPECT_NEAR(gradient[i], (above - below) / (2 * step), 1e-7) << what << " " << i;
    }
  };
  expect_gradient(oracle.x, oracle.grad_x, "x");
  expect_gradient(oracle.B, oracle.grad_B, "B");
  expect_gradient(oracle.C, oracle.grad_C, "C");
  expect_gradient(oracle.dt_raw, oracle.grad_dt_raw, "dt_raw");
  expect_gradient(oracle.h_first, oracle.grad_h_first, "h_first");
  expect_gradient(oracle.A, oracle.grad_A, "A");
  expect_gradient(oracle.D, oracle.grad_D, "D");
  expect_gradient(oracle.dt_bias, oracle.grad_dt_bias, "dt_bias");
}

// ----- all sizes

TEST_F(SsdScanCuda, MatchesTheRecurrenceAtOddSizes) {
  for (const int64_t T : {1, 2, 63, 64, 65, 130}) {
    Scan scan(sizes(T == 65 ? 2 : 1, T, 2, 5, 6, 2));
    expect_match(scan);
  }
  for (const SsdScanSizes& s : {
           sizes(1, 65, 5, 20, 24, 1),     // a slice of four heads and one of one
           sizes(1, 65, 4, 16, 8, 4),      // a group for each head
           sizes(1, 70, 2, 64, 64, 1),     // whole tiles
           sizes(1, 66, 1, 65, 129, 1),    // a column more than a tile
           sizes(1, 67, 40, 1, 1, 8),      // more heads than a block of steps has
       }) {
    Scan scan(s);
    expect_match(scan);
  }
}

TEST_F(SsdScanCuda, MatchesTheRecurrenceAtTheLargestSizes) {
  Scan scan(sizes(1, 65, 1, 128, 256, 1), 0);
  expect_match(scan);
}

TEST_F(SsdScanCuda, RowsAtMultiplesOfSixteenBytes) {
  for (const int64_t gap : {0, 4}) {
    Scan scan(sizes(2, 66, 4, 12, 20, 2), gap);
    expect_match(scan);
  }
}

TEST_F(SsdScanCuda, RoundedInputs) {
  for (const MatrixInputs products : {MatrixInputs::kTf32, MatrixInputs::kBf16}) {
    for (const SsdScanSizes& s : {sizes(2, 130, 2, 21, 25, 2), sizes(1, 64, 1, 64, 80, 1),
                                  sizes(1, 65, 1, 70, 16, 1), sizes(1, 1, 2, 3, 5, 1)}) {
      Scan scan(s);
      expect_match(scan, products);
    }
  }
}

// ----- steps, decays and states out of the ordinary

// dt near both limits and at them; steps of 50 among steps of 1e-3.
TEST_F(SsdScanCuda, ClampedSteps) {
  Scan scan(sizes(1, 70, 2, 5, 6, 1, 0.1, 0.5));
  expect_match(scan);
  int64_t clamped = 0;
  for (int64_t i = 0; i < scan.grad_dt_raw.size(); ++i) clamped += scan.grad_dt_raw[i] == 0;
  EXPECT_GT(clamped, 10);
  EXPECT_LT(clamped, scan.grad_dt_raw.size() - 10);
}

TEST_F(SsdScanCuda, HugeStepsAmongSmallOnes) {
  Scan scan(sizes(1, 130, 2, 5, 6, 1));
  for (int64_t i = 0; i < scan.dt_raw.size(); ++i) scan.dt_raw[i] = i % 97 == 5 ? 500 : -5;
  expect_match(scan);
}

TEST_F(SsdScanCuda, SlowAndFastDecays) {
  Scan scan(sizes(1, 130, 4, 5, 6, 1));
  const float A[] = {-1e-4f, -1, -16, -100};
  std::copy_n(A, 4, scan.A.data());
  expect_match(scan);
}

// What is small beside the state is lost in it, on the CPU too: the gradients of A and dt, which
// are products with the state, and what the state itself is.
TEST_F(SsdScanCuda, HugeStateBefore) {
  Scan scan(sizes(1, 65, 2, 5, 6, 2));
  for (int64_t i = 0; i < scan.state; ++i) scan.h_first[i] *= 1e4f;
  expect_match(scan);
}

TEST_F(SsdScanCuda, AbsentOperandsAreZero) {
  Scan absent(sizes(1, 66, 2, 5, 6, 1)), zero(absent.s);
  for (GuardedBuffer<float>* operand :
       {&zero.D, &zero.dt_bias, &zero.h_first, &zero.grad_h_last}) {
    std::fill_n(operand->data(), operand->size(), 0.0f);
  }
  zero.run();
  SsdScanForward<float> forward = absent.forward();
  forward.in.D = forward.in.dt_bias = forward.h_first = nullptr;
  ssd_scan_forward(forward, MatrixInputs::kFp32, absent.forward_workspace.data(), {});
  SsdScanBackward<float> backward = absent.backward();
  backward.in = forward.in;
  backward.grad_h_last = nullptr;
  ssd_scan_backward(backward, MatrixInputs::kFp32, absent.backward_workspace.data(), {});
  EXPECT_TRUE(absent.same_bits(zero));
}

TEST_F(SsdScanCuda, StateInPlaceAndNoStatesKept) {
  Scan scan(sizes(1, 66, 2, 5, 6, 1)), in_place(scan.s);
  scan.run();
  SsdScanForward<float> args = in_place.forward();
  args.h_last = in_place.h_first.data();
  args.block_states = nullptr;
  args.K = 0;
  ssd_scan_forward(args, MatrixInputs::kFp32, in_place.forward_workspace.data(), {});
  EXPECT_TRUE(in_place.h_first.same_bits(scan.h_last));
  EXPECT_TRUE(in_place.y.same_bits(scan.y));
  EXPECT_LT(ssd_scan_forward_workspace(scan.s, true), ssd_scan_forward_workspace(scan.s));
}

// ----- the order of threads, pieces of a sequence, one position

TEST_F(SsdScanCuda, NoScheduleChangesABit) {
  const SsdScanSizes s = sizes(1, 65, 2, 6, 7, 1);
  set_schedule(0);
  Scan first(s);
  first.run(MatrixInputs::kTf32);
  for (const uint64_t schedule : {1, 3, 4}) {
    set_schedule(schedule);
    Scan other(s);
    other.run(MatrixInputs::kTf32);
    EXPECT_TRUE(other.same_bits(first)) << "schedule " << schedule;
  }
}

// Positions [begin, end) of `whole`, from its own state at `begin`.
void scan_part(Scan& whole, int64_t begin, int64_t end, GuardedBuffer<float>& state,
               GuardedBuffer<float>& y) {
  SsdScanForward<float> args = whole.forward();
  args.in.sizes.T = end - begin;
  for (const float** operand : {&args.in.x, &args.in.B, &args.in.C}) *operand += begin * whole.row;
  args.in.dt_raw += begin * (whole.s.H + whole.gap);
  args.h_first = args.h_last = state.data();
  args.y = y.data() + begin * whole.s.H * whole.s.P;
  args.block_states = nullptr;
  args.K = 0;
  ssd_scan_forward(args, MatrixInputs::kFp32, whole.forward_workspace.data(), {});
}

TEST_F(SsdScanCuda, PiecesWithACarriedStateAreTheWhole) {
  Scan whole(sizes(1, 130, 2, 5, 6, 1));
  ssd_scan_forward(whole.forward(), MatrixInputs::kFp32, whole.forward_workspace.data(), {});
  for (const int64_t cut : {1, 63, 64, 65, 129}) {
    Scan parts(whole.s);
    GuardedBuffer<float> state(parts.state), y(parts.y.size());
    std::copy_n(parts.h_first.data(), parts.state, state.data());
    scan_part(parts, 0, cut, state, y);
    scan_part(parts, cut, whole.s.T, state, y);
    // Both are sums of the same terms, rounded in another order.
    const Tolerance tolerance = rounding_tolerance<float>(320);
    EXPECT_TRUE(close_to(y.data(), whole.y.data(), y.size(), tolerance)) << "cut at " << cut;
    EXPECT_TRUE(close_to(state.data(), whole.h_last.data(), parts.state, tolerance));
  }
}

TEST_F(SsdScanCuda, StepIsAScanOfOnePosition) {
  for (const SsdScanSizes& s : {sizes(3, 1, 4, 5, 6, 2), sizes(2, 1, 2, 12, 132, 1),
                                sizes(1, 1, 2, 9, 33, 2, 0.05, 0.1)}) {
    for (const int64_t gap : {0, 3}) {
      SCOPED_TRACE(name(s));
      Scan scan(s, gap);
      SsdOracle oracle = oracle_of(scan);
      oracle.forward();
      ssd_step(scan.forward(), {});
      expect_forward(scan, oracle, rounding_tolerance<float>(s.N));
      EXPECT_TRUE(scan.fences_intact());
      SsdScanForward<float> args = scan.forward();
      args.h_last = scan.h_first.data();
      args.block_states = nullptr;
      args.K = 0;
      ssd_step(args, {});
      EXPECT_TRUE(scan.h_first.same_bits(scan.h_last));
    }
  }
}

// ----- arguments

TEST_F(SsdScanCuda, TheSumsBelongToTheirRowsAlone) {
  Scan scan(sizes(2, 65, 2, 4, 4, 1)), changed(scan.s);
  for (int64_t i = scan.s.T * scan.row; i < 2 * scan.s.T * scan.row; ++i) changed.xBC[i] *= 2;
  scan.run();
  changed.run();
  for (int64_t i = 0; i < scan.s.T * scan.s.H * scan.s.P; ++i) ASSERT_EQ(scan.y[i], changed.y[i]);
  for (int64_t head = 0; head < scan.s.H; ++head) {
    EXPECT_EQ(scan.grad_A[head], changed.grad_A[head]);
    EXPECT_NE(scan.grad_A[scan.s.H + head], changed.grad_A[scan.s.H + head]);
  }
}

TEST(SsdScanCudaSizes, Supported) {
  EXPECT_TRUE(ssd_scan_supports(sizes(65535, 1 << 20, 80, 128, 256, 8)));
  EXPECT_FALSE(ssd_scan_supports(sizes(1, 1, 1, 129, 1, 1)));
  EXPECT_FALSE(ssd_scan_supports(sizes(1, 1, 1, 1, 257, 1)));
  EXPECT_FALSE(ssd_scan_supports(sizes(1, 1, 4, 1, 1, 3)));
  EXPECT_FALSE(ssd_scan_supports(sizes(1, 0, 1, 1, 1, 1)));
  EXPECT_FALSE(ssd_scan_supports(sizes(65536, 1, 1, 1, 1, 1)));
  EXPECT_TRUE(ssd_scan_supports(sizes(0, 1, 1, 1, 1, 1)));
}

TEST_F(SsdScanCuda, WrongArgumentsAreNamed) {
  Scan scan(sizes(1, 3, 4, 2, 2, 2));
  const auto message_of = [&](const auto& change) -> std::string {
    SsdScanForward<float> args = scan.forward();
    change(args);
    try {
      ssd_scan_forward(args, MatrixInputs::kFp32, scan.forward_workspace.data(), {});
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message_of([](auto&) {}), "");
  EXPECT_THAT(message_of([](auto& args) { args.in.sizes.G = 3; }),
              ::testing::HasSubstr("H a multiple of G"));
  EXPECT_THAT(message_of([](auto& args) { args.y = nullptr; }), ::testing::HasSubstr("one is null"));
}

// Rows 2^27 elements apart, so that a row within a chunk and the next chunk's first lie beyond 2^31
// elements. The address space is reserved, the pages between the rows never touched.
TEST_F(SsdScanCuda, OffsetsBeyondTwoToThe31) {
  constexpr int64_t kStride = int64_t{1} << 27, T = kSsdChunk + 1;
  const size_t bytes = ((T - 1) * kStride + 4096) * sizeof(float);
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(memory, MAP_FAILED) << "no " << bytes << " bytes of address space";
  auto* const sparse = static_cast<float*>(memory);
  Scan dense(sizes(1, T, 2, 5, 6, 1)), far(dense.s);
  for (int64_t t = 0; t < T; ++t) {
    std::copy_n(dense.xBC.data() + t * dense.row, dense.width, sparse + t * kStride);
  }
  dense.run();
  SsdScanForward<float> forward = far.forward();
  forward.in.x = sparse;
  forward.in.B = sparse + far.s.H * far.s.P;
  forward.in.C = forward.in.B + far.s.N;
  forward.in.xBC_stride_t = kStride;
  ssd_scan_forward(forward, MatrixInputs::kFp32, far.forward_workspace.data(), {});
  SsdScanBackward<float> backward = far.backward();
  backward.in = forward.in;
  ssd_scan_backward(backward, MatrixInputs::kFp32, far.backward_workspace.data(), {});
  munmap(memory, bytes);
  EXPECT_TRUE(far.same_bits(dense));
}

}  // namespace
}  // namespace farstate::kernels::cuda
