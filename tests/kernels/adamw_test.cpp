// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/adamw/adamw.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/guarded_buffer.h"
#include "tests/support/tolerance.h"

namespace farstate::kernels {
namespace {

using farstate::testing::close_to;
using farstate::testing::GuardedBuffer;
using farstate::testing::rounding_tolerance;

constexpr AdamWUpdate kUpdate{1e-2, 0.9, 0.95, 1e-8, 0.3, 3};

template <class Real>
struct Operands {
  GuardedBuffer<Real> parameter, gradient, m, v;

  explicit Operands(int64_t count) : parameter(count), gradient(count), m(count), v(count) {
    parameter.fill_normal(1);
    gradient.fill_normal(2);
    m.fill_normal(3);
    v.fill_normal(4, 3, 0.1);
  }
  AdamWTensor<Real> tensor() {
    return {parameter.data(), gradient.data(), m.data(), v.data(), 0.1};
  }
  bool fences_intact() const {
    return parameter.fences_intact() && gradient.fences_intact() && m.fences_intact() &&
           v.fences_intact();
  }
};

template <class Real>
class AdamWKernel : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(AdamWKernel, Reals);

// The formulas of the paper as they stand, in long double.
TYPED_TEST(AdamWKernel, EqualsTheFormulas) {
  for (const int64_t count : {1, 7, 8, 33, 1000}) {
    for (const Isa isa : {Isa::kPortable, Isa::kAvx2, Isa::kAvx512}) {
      if (!isa_supported(isa)) continue;
      Operands<TypeParam> got(count), was(count);
      adamw(got.tensor(), kUpdate, 0, count, isa);
      ASSERT_TRUE(got.fences_intact());
      std::vector<long double> parameter, m, v;
      for (int64_t i = 0; i < count; ++i) {
        const long double g = 0.3L * was.gradient[i];
        m.push_back(0.9L * was.m[i] + 0.1L * g);
        v.push_back(0.95L * was.v[i] + 0.05L * g * g);
        const long double m_hat = m.back() / (1 - std::pow(0.9L, 3));
        const long double v_hat = v.back() / (1 - std::pow(0.95L, 3));
        parameter.push_back(was.parameter[i] - 1e-2L * 0.1L * was.parameter[i] -
                            1e-2L * m_hat / (std::sqrt(v_hat) + 1e-8L));
      }
      const auto tolerance = rounding_tolerance<TypeParam>(10);
      EXPECT_TRUE(close_to(got.parameter.data(), parameter.data(), count, tolerance));
      EXPECT_TRUE(close_to(got.m.data(), m.data(), count, tolerance));
      EXPECT_TRUE(close_to(got.v.data(), v.data(), count, tolerance));
    }
  }
}

TYPED_TEST(AdamWKernel, TheSameNumbersWhereverItIsCut) {
  constexpr int64_t kCount = 137;
  for (const int64_t cut : {1, 5, 64, 136}) {
    Operands<TypeParam> whole(kCount), parts(kCount);
    adamw(whole.tensor(), kUpdate, 0, kCount);
    adamw(parts.tensor(), kUpdate, cut, kCount);
    adamw(parts.tensor(), kUpdate, 0, cut);
    EXPECT_TRUE(parts.parameter.same_bits(whole.parameter));
    EXPECT_TRUE(parts.m.same_bits(whole.m));
    EXPECT_TRUE(parts.v.same_bits(whole.v));
  }
}

TYPED_TEST(AdamWKernel, SumOfSquaresIsInDouble) {
  GuardedBuffer<TypeParam> values(1001);
  values.fill_normal(5, 0, 1e30);  // whose squares no float holds
  long double want = 0;
  for (int64_t i = 3; i < 1001; ++i) want += static_cast<long double>(values[i]) * values[i];
  // 1000 roundings of double, with the factor that rounding_tolerance explains.
  EXPECT_NEAR(sum_of_squares(values.data(), 3, 1001) / static_cast<double>(want), 1, 1e-13);
  values[500] = std::numeric_limits<TypeParam>::quiet_NaN();
  EXPECT_TRUE(std::isnan(sum_of_squares(values.data(), 3, 1001)));
}

}  // namespace
}  // namespace farstate::kernels
