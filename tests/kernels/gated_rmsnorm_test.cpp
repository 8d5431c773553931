// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gated_rmsnorm/gated_rmsnorm.h"

#include <gtest/gtest.h>

#include "tests/support/guarded_buffer.h"
#include "tests/support/tolerance.h"

namespace farstate::kernels {
namespace {

using farstate::testing::close_to;
using farstate::testing::GuardedBuffer;
using farstate::testing::rounding_tolerance;

// Operands in rows with gaps of NaN between them, results in memory that starts as NaN.
template <class Real>
struct Norm {
  static constexpr int64_t kGap = 5;
  GatedRmsNormSizes s;
  int64_t row = s.C + kGap;
  GuardedBuffer<Real> y{s.R * row}, z{s.R * row}, weight{s.C}, grad_out{s.R * row};
  GuardedBuffer<Real> out{s.R * s.C}, rstd{s.R * s.G}, grad_y{s.R * s.C}, grad_z{s.R * s.C};
  GuardedBuffer<Real> grad_weight{s.backward_tasks() * s.C};

  explicit Norm(const GatedRmsNormSizes& sizes) : s(sizes) {
    y.fill_normal(1, 0, 1, s.C, row);
    z.fill_normal(2, 0, 1, s.C, row);
    weight.fill_normal(3);
    grad_out.fill_normal(4, 0, 1, s.C, row);
  }

  void run(Isa isa) {
    const GatedRmsNormInputs<Real> in{s, y.data(), row, z.data(), row, weight.data()};
    gated_rmsnorm_forward<Real>({in, out.data(), rstd.data()}, 0, s.R, isa);
    gated_rmsnorm_backward<Real>(
        {in, rstd.data(), grad_out.data(), row, grad_y.data(), grad_z.data(), grad_weight.data()},
        0, s.backward_tasks(), isa);
  }
};

template <class Real>
class GatedRmsNormKernel : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(GatedRmsNormKernel, Reals);

TYPED_TEST(GatedRmsNormKernel, InstructionSetsAgreeInsideTheirMemory) {
  using N = Norm<TypeParam>;
  for (const GatedRmsNormSizes& sizes :
       {GatedRmsNormSizes{1, 1, 1, 0.5}, GatedRmsNormSizes{3, 37, 1, 1e-5},
        GatedRmsNormSizes{kNormRows + 1, 64, 1, 1e-5}, GatedRmsNormSizes{5, 57, 3, 1e-5}}) {
    N portable(sizes);
    portable.run(Isa::kPortable);
    for (const Isa isa : {Isa::kPortable, Isa::kAvx2, Isa::kAvx512}) {
      if (!isa_supported(isa)) continue;
      SCOPED_TRACE(::testing::Message() << isa_name(isa) << " R " << sizes.R << " C " << sizes.C);
      N norm(sizes);
      norm.run(isa);
      for (const auto member : {&N::out, &N::rstd, &N::grad_y, &N::grad_z, &N::grad_weight}) {
        const GuardedBuffer<TypeParam>&got = norm.*member, &want = portable.*member;
        EXPECT_TRUE(got.fences_intact());
        EXPECT_TRUE(close_to(got.data(), want.data(), got.size(),
                             rounding_tolerance<TypeParam>(sizes.C + sizes.R)));
        EXPECT_FALSE(std::any_of(got.data(), got.data() + got.size(),
                                 [](TypeParam number) { return std::isnan(number); }));
      }
    }
  }
}

TEST(GatedRmsNormKernelArguments, AreCheckedInWords) {
  GatedRmsNormForward<float> args;
  args.in.sizes = {1, 10, 3, 1e-5};
  try {
    gated_rmsnorm_forward(args, 0, 1);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(
        error.what(),
        "gated_rmsnorm: wanted R >= 0, C and G >= 1, C a multiple of G; got R = 1, C = 10, "
        "G = 3");
  }
}

}  // namespace
}  // namespace farstate::kernels
