// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/state_stats/state_stats_cuda.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/emulated.h"
#include "tests/support/guarded_buffer.h"

namespace farstate::kernels {
namespace {

using farstate::testing::GuardedBuffer;
using farstate::testing::under_schedules;

TEST(StateStatsCuda, EqualTheirDefinition) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const int64_t elements : {1, 31, 256, 257, 1300}) {
    constexpr int64_t rows = 3;
    GuardedBuffer<float> h(rows * elements);
    h.fill_normal(elements, 0.5, 3);
    h[elements] = -kInfinity;  // the second row's first
    h[3 * elements - 1] = std::numeric_limits<float>::quiet_NaN();
    GuardedBuffer<double> stats(rows * 4);
    under_schedules([&] {
      cuda::state_stats({rows, elements, h.data(), stats.data()}, {});
      EXPECT_TRUE(stats.fences_intact());
      for (int64_t row = 0; row < rows; ++row) {
        double sum = 0, squares = 0, largest = 0, non_finite = 0, sizes = 0;
        for (int64_t i = 0; i < elements; ++i) {
          const double value = h[row * elements + i];
          if (!std::isfinite(value)) {
            ++non_finite;
            continue;
          }
          sum += value;
          sizes += std::abs(value);
          squares += value * value;
          largest = std::max(largest, std::abs(value));
        }
        // Both sums are of doubles: at worst every addition rounds in the same direction.
        const double rounding = double(elements) * std::numeric_limits<double>::epsilon();
        EXPECT_NEAR(stats[row * 4], sum, rounding * sizes);
        EXPECT_NEAR(stats[row * 4 + 1], squares, rounding * squares);
        EXPECT_EQ(stats[row * 4 + 2], largest);
        EXPECT_EQ(stats[row * 4 + 3], non_finite);
      }
    });
  }
}

TEST(StateStatsCuda, OfNoStatesAreNone) { cuda::state_stats({0, 8, nullptr, nullptr}, {}); }

}  // namespace
}  // namespace farstate::kernels
