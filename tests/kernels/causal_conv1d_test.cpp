// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/causal_conv1d/causal_conv1d.h"

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
struct Conv {
  static constexpr int64_t kGap = 5;
  CausalConv1dSizes s;
  int64_t row = s.C + kGap, context_size = s.B * (s.W - 1) * s.C;
  GuardedBuffer<Real> u{s.B * s.T * row}, weight{s.C * s.W}, bias{s.C}, context{context_size};
  GuardedBuffer<Real> y{s.B * s.T * s.C}, new_context{context_size};
  GuardedBuffer<Real> grad_y{s.B * s.T * row}, grad_new_context{context_size};
  GuardedBuffer<Real> grad_u{s.B * s.T * s.C}, grad_context{context_size};
  GuardedBuffer<Real> grad_weight{s.tasks() * s.C * s.W}, grad_bias{s.tasks() * s.C};

  explicit Conv(const CausalConv1dSizes& sizes) : s(sizes) {
    u.fill_normal(1, 0, 1, s.C, row);
    weight.fill_normal(2);
    bias.fill_normal(3);
    context.fill_normal(4);
    grad_y.fill_normal(5, 0, 1, s.C, row);
    grad_new_context.fill_normal(6);
  }

  void run(Isa isa) {
    CausalConv1dInputs<Real> in;
    in.sizes = s;
    in.u = u.data();
    in.u_stride_b = s.T * row;
    in.u_stride_t = row;
    in.weight = weight.data();
    in.bias = bias.data();
    in.context = context.data();
    causal_conv1d_forward<Real>({in, y.data(), new_context.data()}, 0, s.tasks(), isa);
    causal_conv1d_backward<Real>(
        {in, grad_y.data(), s.T * row, row, grad_new_context.data(), grad_u.data(),
         grad_context.data(), grad_weight.data(), grad_bias.data()},
        0, s.tasks(), isa);
  }
};

template <class Real>
class CausalConv1dKernel : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(CausalConv1dKernel, Reals);

TYPED_TEST(CausalConv1dKernel, InstructionSetsAgreeInsideTheirMemory) {
  using C = Conv<TypeParam>;
  for (const CausalConv1dSizes& sizes :
       {CausalConv1dSizes{1, 1, 1, 1}, CausalConv1dSizes{2, 2, 19, 4},
        CausalConv1dSizes{2, kConvPositions, 16, 4}, CausalConv1dSizes{2, kConvPositions + 1, 17, 4},
        CausalConv1dSizes{1, kConvPositions + 3, 7, 6},
        CausalConv1dSizes{1, 3 * kConvPositions - 1, 33, 2}}) {
    C portable(sizes);
    portable.run(Isa::kPortable);
    for (const Isa isa : {Isa::kPortable, Isa::kAvx2, Isa::kAvx512}) {
      if (!isa_supported(isa)) continue;
      SCOPED_TRACE(::testing::Message() << isa_name(isa) << " T " << sizes.T << " C " << sizes.C);
      C conv(sizes);
      conv.run(isa);
      for (const auto member :
           {&C::y, &C::new_context, &C::grad_u, &C::grad_context, &C::grad_weight, &C::grad_bias}) {
        const GuardedBuffer<TypeParam>&got = conv.*member, &want = portable.*member;
        EXPECT_TRUE(got.fences_intact());
        EXPECT_TRUE(close_to(got.data(), want.data(), got.size(),
                             rounding_tolerance<TypeParam>(sizes.W + sizes.T)));
        EXPECT_FALSE(std::any_of(got.data(), got.data() + got.size(),
                                 [](TypeParam number) { return std::isnan(number); }));
      }
    }
  }
}

TEST(CausalConv1dKernelArguments, AreCheckedInWords) {
  Conv<float> conv({1, 2, 3, 4});
  CausalConv1dForward<float> args;
  args.in.sizes = {1, 0, 3, 4};
  try {
    causal_conv1d_forward(args, 0, 1);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "causal_conv1d: wanted B >= 0 and T, C, W >= 1; got B = 1, T = 0, C = 3, W = 4");
  }
}

}  // namespace
}  // namespace farstate::kernels
