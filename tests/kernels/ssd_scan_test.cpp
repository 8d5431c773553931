// SPDX-License-Identifier: GPL-3.0-or-later
// What only the kernels' own interface shows: every instruction set of this machine, memory
// outside the arrays, offsets beyond 2^31, the precision of exp and softplus. That the results
// are right is tests/core/ops/ssd_scan_test.cpp's.
#include "kernels/ssd_scan/ssd_scan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cmath>

#include "tests/support/guarded_buffer.h"
#include "tests/support/tolerance.h"

namespace farstate::kernels {
namespace {

using farstate::testing::close_to;
using farstate::testing::GuardedBuffer;
using farstate::testing::rounding_tolerance;

std::vector<Isa> isas_here() {
  std::vector<Isa> isas;
  for (const Isa isa : {Isa::kPortable, Isa::kAvx2, Isa::kAvx512}) {
    if (isa_supported(isa)) isas.push_back(isa);
  }
  return isas;
}

// Operands in rows with gaps of NaN between them, results in memory that starts as NaN.
template <class Real>
struct Scan {
  static constexpr int64_t kGap = 3;
  SsdScanSizes s;
  int64_t width = s.H * s.P + 2 * s.G * s.N, row = width + kGap;
  int64_t blocks = ssd_blocks(s.T), state = s.B * s.H * s.P * s.N;
  std::vector<int64_t> positions{0, s.T - 1};
  GuardedBuffer<Real> xBC{s.B * s.T * row}, dt_raw{s.B * s.T * (s.H + kGap)};
  GuardedBuffer<Real> A{s.H}, D{s.H}, dt_bias{s.H}, h_first{state};
  GuardedBuffer<Real> y{s.B * s.T * s.H * s.P}, h_last{state}, block_states{state * blocks};
  GuardedBuffer<double> stats{s.B * 2 * s.H * 4};
  GuardedBuffer<Real> grad_y{s.B * s.T * s.H * s.P}, grad_h_last{state};
  GuardedBuffer<Real> grad_xBC{s.B * s.T * row}, grad_dt_raw{s.B * s.T * s.H}, grad_h_first{state};
  GuardedBuffer<double> grad_A{s.B * s.H}, grad_D{s.B * s.H}, grad_dt_bias{s.B * s.H};
  GuardedBuffer<Real> block_grads{state * blocks};
  GuardedBuffer<double> block_sums{s.B * s.H * blocks * 3};

  explicit Scan(const SsdScanSizes& sizes) : s(sizes) {
    xBC.fill_normal(1, 0, 1, width, row);
    dt_raw.fill_normal(2, -1, 1, s.H, s.H + kGap);
    A.fill_normal(3, -1, 0.1);
    D.fill_normal(4);
    dt_bias.fill_normal(5);
    h_first.fill_normal(6);
    grad_y.fill_normal(7);
    grad_h_last.fill_normal(8);
  }

  SsdScanInputs<Real> inputs() {
    SsdScanInputs<Real> in;
    in.sizes = s;
    in.x = xBC.data();
    in.B = in.x + s.H * s.P;
    in.C = in.B + s.G * s.N;
    in.xBC_stride_b = s.T * row;
    in.xBC_stride_t = row;
    in.dt_raw = dt_raw.data();
    in.dt_stride_b = s.T * (s.H + kGap);
    in.dt_stride_t = s.H + kGap;
    in.A = A.data();
    in.D = D.data();
    in.dt_bias = dt_bias.data();
    return in;
  }

  SsdScanForward<Real> forward() {
    SsdScanForward<Real> args;
    args.in = inputs();
    args.h_first = h_first.data();
    args.y = y.data();
    args.h_last = h_last.data();
    args.block_states = block_states.data();
    args.stat_positions = positions.data();
    args.K = s.T > 1 ? 2 : 1;
    args.stats = stats.data();
    return args;
  }

  SsdScanBackward<Real> backward() {
    SsdScanBackward<Real> args;
    args.in = inputs();
    args.block_states = block_states.data();
    args.grad_y = grad_y.data();
    args.grad_y_stride_b = s.T * s.H * s.P;
    args.grad_y_stride_t = s.H * s.P;
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
    args.block_grads = block_grads.data();
    args.block_sums = block_sums.data();
    return args;
  }

  void run(Isa isa) {
    ssd_scan_forward(forward(), 0, s.B * s.H, isa);
    ssd_scan_backward_states(backward(), 0, s.B * s.H, isa);
    ssd_scan_backward_blocks(backward(), 0, s.B * blocks * s.G, isa);
    ssd_scan_backward_sums(backward());
  }

  bool fences_intact() const {
    return xBC.fences_intact() && dt_raw.fences_intact() && h_first.fences_intact() &&
           y.fences_intact() && h_last.fences_intact() && block_states.fences_intact() &&
           stats.fences_intact() && grad_xBC.fences_intact() && grad_dt_raw.fences_intact() &&
           grad_h_first.fences_intact() && grad_A.fences_intact() && grad_D.fences_intact() &&
           grad_dt_bias.fences_intact() && block_grads.fences_intact() &&
           block_sums.fences_intact();
  }
};

template <class Real>
class SsdScanKernel : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(SsdScanKernel, Reals);

// Sizes around one and two vectors of every width, tiles with and without rests.
const std::vector<SsdScanSizes> kSizes = {
    {1, 1, 1, 1, 1, 1, 0, 1e30},           {2, 3, 2, 8, 16, 1, 0, 1e30},
    {1, kSsdBlock + 1, 2, 17, 9, 1, 0, 1}, {1, 5, 6, 33, 31, 2, 0, 1e30},
    {1, 5, 1, 15, 65, 1, 0, 1e30},         {2, 2 * kSsdBlock + 3, 5, 3, 5, 1, 0.01, 0.5}};

TYPED_TEST(SsdScanKernel, InstructionSetsAgreeInsideTheirMemory) {
  for (const SsdScanSizes& sizes : kSizes) {
    Scan<TypeParam> portable(sizes);
    portable.run(Isa::kPortable);
    ASSERT_TRUE(portable.fences_intact());
    for (const Isa isa : isas_here()) {
      SCOPED_TRACE(::testing::Message() << isa_name(isa) << " T " << sizes.T << " P " << sizes.P
                                        << " N " << sizes.N << " H " << sizes.H);
      Scan<TypeParam> scan(sizes);
      scan.run(isa);
      EXPECT_TRUE(scan.fences_intact());
      const auto tolerance = rounding_tolerance<TypeParam>(sizes.T + sizes.N + sizes.P * sizes.H);
      const auto agree = [&](auto member) {
        return close_to((scan.*member).data(), (portable.*member).data(), (scan.*member).size(),
                        tolerance);
      };
      using S = Scan<TypeParam>;
      EXPECT_TRUE(agree(&S::y));
      EXPECT_TRUE(agree(&S::h_last));
      EXPECT_TRUE(agree(&S::block_states));
      EXPECT_TRUE(agree(&S::stats));
      EXPECT_TRUE(agree(&S::grad_xBC));  // its gaps are NaN in both
      EXPECT_TRUE(agree(&S::grad_dt_raw));
      EXPECT_TRUE(agree(&S::grad_h_first));
      EXPECT_TRUE(agree(&S::grad_A));
      EXPECT_TRUE(agree(&S::grad_D));
      EXPECT_TRUE(agree(&S::grad_dt_bias));
    }
  }
}

TYPED_TEST(SsdScanKernel, WritesEveryResult) {
  for (const SsdScanSizes& sizes : kSizes) {
    Scan<TypeParam> scan(sizes);
    scan.run(best_isa());
    const auto nans = [](const auto& buffer) {
      return std::count_if(buffer.data(), buffer.data() + buffer.size(),
                           [](auto number) { return std::isnan(number); });
    };
    EXPECT_EQ(nans(scan.y) + nans(scan.h_last) + nans(scan.block_states) + nans(scan.grad_dt_raw) +
                  nans(scan.grad_h_first) + nans(scan.grad_A) + nans(scan.grad_D) +
                  nans(scan.grad_dt_bias),
              0);
    EXPECT_EQ(nans(scan.grad_xBC), sizes.B * sizes.T * Scan<TypeParam>::kGap);
  }
}

TYPED_TEST(SsdScanKernel, TheStateMayBeUpdatedInPlace) {
  const SsdScanSizes sizes{2, 7, 3, 19, 21, 1, 0, 1e30};
  for (const Isa isa : isas_here()) {
    Scan<TypeParam> apart(sizes), in_place(sizes);
    ssd_scan_forward(apart.forward(), 0, sizes.B * sizes.H, isa);
    SsdScanForward<TypeParam> args = in_place.forward();
    args.h_last = in_place.h_first.data();
    ssd_scan_forward(args, 0, sizes.B * sizes.H, isa);
    EXPECT_TRUE(in_place.h_first.same_bits(apart.h_last)) << isa_name(isa);
  }
}

TYPED_TEST(SsdScanKernel, RangesAddUpToTheWhole) {
  const SsdScanSizes sizes{2, kSsdBlock + 1, 10, 5, 6, 2, 0, 1e30};
  Scan<TypeParam> whole(sizes), parts(sizes);
  whole.run(best_isa());
  for (int64_t task = sizes.B * sizes.H - 1; task >= 0; --task) {
    ssd_scan_forward(parts.forward(), task, task + 1);
  }
  for (int64_t task = sizes.B * sizes.H - 1; task >= 0; --task) {
    ssd_scan_backward_states(parts.backward(), task, task + 1);
  }
  for (int64_t task = sizes.B * parts.blocks * sizes.G - 1; task >= 0; --task) {
    ssd_scan_backward_blocks(parts.backward(), task, task + 1);
  }
  ssd_scan_backward_sums(parts.backward());
  EXPECT_TRUE(parts.y.same_bits(whole.y));
  EXPECT_TRUE(parts.h_last.same_bits(whole.h_last));
  EXPECT_TRUE(parts.grad_xBC.same_bits(whole.grad_xBC));
  EXPECT_TRUE(parts.grad_h_first.same_bits(whole.grad_h_first));
  EXPECT_TRUE(parts.grad_A.same_bits(whole.grad_A));
}

// With x = B = 1 and no state before, one position leaves softplus(dt_raw) in the state; with
// x = 0, a state of 1 before and dt held at 1 it leaves exp(A).
template <class Real>
Real softplus_of(Real dt_raw, Isa isa) {
  Scan<Real> scan({1, 1, 1, 1, 1, 1, 0, 1e30});
  scan.xBC[0] = scan.xBC[1] = 1;
  scan.h_first[0] = scan.dt_bias[0] = 0;
  scan.dt_raw[0] = dt_raw;
  ssd_scan_forward(scan.forward(), 0, 1, isa);
  return scan.h_last[0];
}

template <class Real>
Real exp_of(Real A, Isa isa) {
  Scan<Real> scan({1, 1, 1, 1, 1, 1, 1, 1});
  scan.xBC[0] = 0;
  scan.h_first[0] = 1;
  scan.A[0] = A;
  ssd_scan_forward(scan.forward(), 0, 1, isa);
  return scan.h_last[0];
}

// In units of the last place of the exact value.
template <class Real>
double ulps(Real got, long double exact) {
  const auto near = static_cast<Real>(exact);
  const long double ulp = std::max<long double>(
      std::nextafter(std::abs(near), std::numeric_limits<Real>::infinity()) - std::abs(near),
      std::numeric_limits<Real>::denorm_min());
  return static_cast<double>(std::abs(got - exact) / ulp);
}

TYPED_TEST(SsdScanKernel, ExpAndSoftplusAreExactToAFewUlp) {
  for (const Isa isa : isas_here()) {
    double exp_error = 0, softplus_error = 0;
    for (double x = -745; x <= 700; x += 0.37) {
      const auto v = static_cast<TypeParam>(x / (sizeof(TypeParam) == 4 ? 8 : 1));
      exp_error = std::max(exp_error, ulps(exp_of(v, isa), std::exp(static_cast<long double>(v))));
    }
    for (double x = -80; x <= 30; x += 0.03) {
      const auto v = static_cast<TypeParam>(x);
      const long double exact = v > 20 ? v : std::log1p(std::exp(static_cast<long double>(v)));
      softplus_error = std::max(softplus_error, ulps(softplus_of(v, isa), exact));
    }
    EXPECT_LT(exp_error, 1.5) << isa_name(isa);
    EXPECT_LT(softplus_error, 4) << isa_name(isa);
  }
}

TYPED_TEST(SsdScanKernel, ExpAtTheEndsOfItsRange) {
  constexpr TypeParam kInfinity = std::numeric_limits<TypeParam>::infinity();
  for (const Isa isa : isas_here()) {
    EXPECT_EQ(exp_of(TypeParam(0), isa), 1);
    EXPECT_EQ(exp_of(TypeParam(-1e6), isa), 0);
    EXPECT_EQ(exp_of(-kInfinity, isa), 0);
    EXPECT_EQ(exp_of(kInfinity, isa), kInfinity);
    EXPECT_TRUE(std::isnan(exp_of(std::numeric_limits<TypeParam>::quiet_NaN(), isa)));
    EXPECT_TRUE(std::isnan(softplus_of(std::numeric_limits<TypeParam>::quiet_NaN(), isa)));
    EXPECT_EQ(softplus_of(TypeParam(-1e4), isa), 0);
    EXPECT_EQ(softplus_of(TypeParam(1e4), isa), TypeParam(1e4));
  }
}

// Rows 2^27 elements apart: both the second block's first row and a row within the first block lie
// beyond 2^31 elements. The address space is reserved, the pages between the rows never touched.
TEST(SsdScanKernel64Bit, OffsetsBeyondTwoToThe31) {
  constexpr int64_t kStride = int64_t{1} << 27, T = kSsdBlock + 1;
  const size_t bytes = ((T - 1) * kStride + 4096) * sizeof(float);
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(memory, MAP_FAILED) << "no " << bytes << " bytes of address space";
  auto* const sparse = static_cast<float*>(memory);
  const SsdScanSizes sizes{1, T, 2, 5, 6, 1, 0, 1e30};
  Scan<float> dense(sizes), far(sizes);
  for (int64_t t = 0; t < T; ++t) {
    std::copy_n(dense.xBC.data() + t * dense.row, dense.width, sparse + t * kStride);
  }
  dense.run(best_isa());
  SsdScanForward<float> args = far.forward();
  args.in.x = sparse;
  args.in.B = sparse + sizes.H * sizes.P;
  args.in.C = args.in.B + sizes.N;
  args.in.xBC_stride_t = kStride;
  ssd_scan_forward(args, 0, sizes.H);
  munmap(memory, bytes);
  EXPECT_TRUE(far.y.same_bits(dense.y));
}

TEST(SsdScanKernelArguments, AreCheckedInWords) {
  const auto message_of = [](const auto& change) -> std::string {
    Scan<float> scan({1, 3, 4, 2, 2, 2, 0, 1});
    SsdScanForward<float> args = scan.forward();
    int64_t end = 4;
    change(args, end);
    try {
      ssd_scan_forward(args, 0, end);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message_of([](auto&, int64_t&) {}), "");
  EXPECT_EQ(message_of([](auto& args, int64_t&) { args.in.sizes.G = 3; }),
            "ssd_scan: wanted H a multiple of G; got H = 4, G = 3");
  EXPECT_EQ(message_of([](auto&, int64_t& end) { end = 5; }),
            "ssd_scan: wanted 0 <= begin <= end <= tasks; got begin = 0, end = 5, tasks = 4");
  EXPECT_THAT(message_of([](auto& args, int64_t&) { args.y = nullptr; }),
              ::testing::HasSubstr("one is null"));
  EXPECT_THAT(message_of([](auto& args, int64_t&) { args.in.sizes.T = 2; }),
              ::testing::HasSubstr("ascending in [0, T)"));
}

}  // namespace
}  // namespace farstate::kernels
