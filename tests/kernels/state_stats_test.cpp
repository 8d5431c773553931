// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/state_stats/state_stats.h"

#include <gtest/gtest.h>

#include "tests/support/guarded_buffer.h"
#include "tests/support/tolerance.h"

namespace farstate::kernels {
namespace {

using farstate::testing::close_to;
using farstate::testing::GuardedBuffer;
using farstate::testing::rounding_tolerance;

template <class Real>
class StateStatsKernel : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(StateStatsKernel, Reals);

TYPED_TEST(StateStatsKernel, InstructionSetsAgreeWithPlainSums) {
  constexpr int64_t rows = 3, bad_row = 1;
  for (const int64_t elements : {1, 7, 32, 33, 300}) {
    GuardedBuffer<TypeParam> h(rows * elements);
    h.fill_normal(1, 0.5, 100);
    h[bad_row * elements] = std::numeric_limits<TypeParam>::quiet_NaN();
    GuardedBuffer<double> want(rows * 4);
    for (int64_t row = 0; row < rows; ++row) {
      double sum = 0, squares = 0, largest = 0, bad = 0;
      for (int64_t i = 0; i < elements; ++i) {
        const double value = h[row * elements + i];
        if (!std::isfinite(value)) {
          ++bad;
          continue;
        }
        sum += value;
        squares += value * value;
        largest = std::max(largest, std::abs(value));
      }
      std::copy_n(std::initializer_list<double>{sum, squares, largest, bad}.begin(), 4,
                  want.data() + row * 4);
    }
    for (const Isa isa : {Isa::kPortable, Isa::kAvx2, Isa::kAvx512}) {
      if (!isa_supported(isa)) continue;
      GuardedBuffer<double> stats(rows * 4);
      state_stats<TypeParam>({rows, elements, h.data(), stats.data()}, 0, rows, isa);
      EXPECT_TRUE(stats.fences_intact());
      EXPECT_TRUE(
          close_to(stats.data(), want.data(), rows * 4, rounding_tolerance<double>(elements)))
          << isa_name(isa) << " " << elements << " elements";
      EXPECT_EQ(stats[bad_row * 4 + 3], 1);
    }
  }
}

}  // namespace
}  // namespace farstate::kernels
