// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cross_entropy/cross_entropy_cuda.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/support/emulated.h"
#include "tests/support/guarded_buffer.h"
#include "tests/support/tolerance.h"

namespace farstate::kernels {
namespace {

using farstate::testing::close_to;
using farstate::testing::GuardedBuffer;
using farstate::testing::rounding_tolerance;
using farstate::testing::under_schedules;

struct Loss {
  int64_t R, V;
  GuardedBuffer<float> logits{R * V}, log_sum_exp{R}, nll{R}, grad_nll{R};
  std::vector<int64_t> targets = std::vector<int64_t>(R);

  Loss(int64_t rows, int64_t vocabulary, double mean = 0, double std = 3) : R(rows), V(vocabulary) {
    logits.fill_normal(1, mean, std);
    grad_nll.fill_normal(2);
    for (int64_t r = 0; r < R; ++r) targets[r] = (r * 7 + V - 1) % V;
  }

  cuda::NllBlock block() {
    return {R, V, logits.data(), targets.data(), log_sum_exp.data(), nll.data(), grad_nll.data()};
  }
};

void check_against_definition(const Loss& operands) {
  const int64_t R = operands.R, V = operands.V;
  std::vector<double> lse(R), nll(R), grad(R * V);
  for (int64_t r = 0; r < R; ++r) {
    const float* const row = operands.logits.data() + r * V;
    const double largest = *std::max_element(row, row + V);
    double sum = 0;
    for (int64_t v = 0; v < V; ++v) sum += std::exp(row[v] - largest);
    lse[r] = largest + std::log(sum);
    nll[r] = lse[r] - row[operands.targets[r]];
    for (int64_t v = 0; v < V; ++v) {
      grad[r * V + v] =
          (std::exp(row[v] - lse[r]) - double(v == operands.targets[r])) * operands.grad_nll[r];
    }
  }
  // nll is a difference of two numbers of lse's size, which may be much larger than it.
  const auto largest_lse = std::abs(*std::max_element(
      lse.begin(), lse.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }));
  under_schedules([&] {
    Loss loss = operands;
    cuda::nll_forward(loss.block(), {});
    EXPECT_TRUE(loss.logits.same_bits(operands.logits));
    EXPECT_TRUE(close_to(loss.log_sum_exp.data(), lse.data(), R, rounding_tolerance<float>(V)));
    auto tolerance = rounding_tolerance<float>(V);
    tolerance.floor = largest_lse * tolerance.max_ratio;
    EXPECT_TRUE(close_to(loss.nll.data(), nll.data(), R, tolerance));
    // exp turns the absolute error of lse, epsilon of its size, into a relative one.
    cuda::nll_backward(loss.block(), {});
    tolerance.max_ratio *= std::max(1.0, largest_lse);
    tolerance.rms_ratio *= std::max(1.0, largest_lse);
    tolerance.floor = std::numeric_limits<float>::min();
    EXPECT_TRUE(close_to(loss.logits.data(), grad.data(), R * V, tolerance));
    for (const auto* buffer : {&loss.logits, &loss.log_sum_exp, &loss.nll}) {
      EXPECT_TRUE(buffer->fences_intact());
    }
  });
}

TEST(NllCuda, EqualsItsDefinition) {
  for (const int64_t V : {1, 2, 255, 256, 257, 1024, 1028, 2051}) {
    SCOPED_TRACE(::testing::Message() << "V " << V);
    check_against_definition(Loss(5, V));
  }
}

TEST(NllCuda, LargeLogitsDoNotOverflow) {
  check_against_definition(Loss(3, 300, 1000, 3));
  check_against_definition(Loss(3, 300, -1000, 3));
}

TEST(NllCuda, LogitsOfMinusInfinityCountNothingAndNaNStaysNaN) {
  Loss loss(3, 300);
  for (int64_t v = 0; v < 299; ++v) loss.logits[v] = -std::numeric_limits<float>::infinity();
  loss.targets[0] = 299;
  loss.logits[300 + 17] = std::numeric_limits<float>::quiet_NaN();
  under_schedules([&] {
    cuda::nll_forward(loss.block(), {});
    EXPECT_EQ(loss.nll[0], 0);
    EXPECT_TRUE(std::isnan(loss.nll[1]));
    EXPECT_TRUE(std::isfinite(loss.nll[2]));
  });
}

}  // namespace
}  // namespace farstate::kernels
