// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/causal_conv1d/causal_conv1d_cuda.h"

#include <gtest/gtest.h>

#include <cmath>
#include <ostream>
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

struct Shape {
  CausalConv1dSizes s;
  bool optional;  // bias, context, and the gradient of the new context
  int64_t gap;    // NaN between rows; a multiple of 4 keeps rows aligned
};

void PrintTo(const Shape& shape, std::ostream* out) {
  *out << "B " << shape.s.B << " T " << shape.s.T << " C " << shape.s.C << " W " << shape.s.W
       << " optional " << shape.optional << " gap " << shape.gap;
}

using Wide = std::vector<double>;

struct Results {
  Wide y, new_context, grad_u, grad_context, grad_weight, grad_bias;
};

class CausalConv1dCuda : public ::testing::TestWithParam<Shape> {
 protected:
  const CausalConv1dSizes s = GetParam().s;
  const int64_t kept = s.B * (s.W - 1) * s.C, row = s.C + GetParam().gap;
  GuardedBuffer<float> u{s.B * s.T * row}, grad_y{s.B * s.T * row}, weight{s.C * s.W}, bias{s.C},
      context{kept}, grad_new_context{kept};
  GuardedBuffer<float> y{s.B * s.T * s.C}, new_context{kept}, grad_u{s.B * s.T * s.C},
      grad_context{kept}, grad_weight{s.B * s.C * s.W}, grad_bias{s.B * s.C};

  CausalConv1dCuda() {
    u.fill_normal(1, 0, 1, s.C, row);
    grad_y.fill_normal(2, 0, 1, s.C, row);
    weight.fill_normal(3);
    bias.fill_normal(4);
    context.fill_normal(5);
    grad_new_context.fill_normal(6);
  }

  CausalConv1dInputs<float> inputs() const {
    const bool optional = GetParam().optional;
    return {s, u.data(), s.T * row, row, weight.data(), optional ? bias.data() : nullptr,
            optional ? context.data() : nullptr};
  }

  void run() {
    cuda::causal_conv1d_forward({inputs(), y.data(), new_context.data()}, {});
    cuda::causal_conv1d_backward(
        {inputs(), grad_y.data(), s.T * row, row,
         GetParam().optional ? grad_new_context.data() : nullptr, grad_u.data(),
         grad_context.data(), grad_weight.data(), grad_bias.data()},
        {});
  }

  // The definition, in double: the input with its context before it is one array.
  Results oracle() const {
    const bool optional = GetParam().optional;
    const int64_t before = s.W - 1;
    Results r;
    const auto put = [](Wide& to, int64_t at, double value) {
      if (at >= int64_t(to.size())) to.resize(at + 1);
      to[at] += value;
    };
    for (int64_t b = 0; b < s.B; ++b) {
      for (int64_t c = 0; c < s.C; ++c) {
        Wide in(before + s.T), grad_in(before + s.T);
        for (int64_t i = 0; i < before; ++i) in[i] = optional ? context[(b * before + i) * s.C + c] : 0;
        for (int64_t t = 0; t < s.T; ++t) in[before + t] = u[(b * s.T + t) * row + c];
        for (int64_t i = 0; i < before; ++i) {
          put(r.new_context, (b * before + i) * s.C + c, in[s.T + i]);
          grad_in[s.T + i] = optional ? grad_new_context[(b * before + i) * s.C + c] : 0;
        }
        double sum = 0;
        Wide sums(s.W);
        for (int64_t t = 0; t < s.T; ++t) {
          double pre = optional ? bias[c] : 0;
          for (int64_t w = 0; w < s.W; ++w) pre += weight[c * s.W + w] * in[t + w];
          const double gate = 1 / (1 + std::exp(-pre));
          put(r.y, (b * s.T + t) * s.C + c, pre * gate);
          const double grad = grad_y[(b * s.T + t) * row + c] * gate * (1 + pre * (1 - gate));
          sum += grad;
          for (int64_t w = 0; w < s.W; ++w) {
            sums[w] += grad * in[t + w];
            grad_in[t + w] += grad * weight[c * s.W + w];
          }
        }
        put(r.grad_bias, b * s.C + c, sum);
        for (int64_t w = 0; w < s.W; ++w) put(r.grad_weight, (b * s.C + c) * s.W + w, sums[w]);
        for (int64_t i = 0; i < before; ++i) {
          put(r.grad_context, (b * before + i) * s.C + c, grad_in[i]);
        }
        for (int64_t t = 0; t < s.T; ++t) {
          put(r.grad_u, (b * s.T + t) * s.C + c, grad_in[before + t]);
        }
      }
    }
    return r;
  }
};

TEST_P(CausalConv1dCuda, EqualsItsDefinition) {
  const Results want = oracle();
  const auto check = [](const char* name, const GuardedBuffer<float>& got, const Wide& wanted,
                        int64_t roundings) {
    ASSERT_EQ(got.size(), int64_t(wanted.size())) << name;
    EXPECT_TRUE(got.fences_intact()) << name;
    EXPECT_TRUE(close_to(got.data(), wanted.data(), got.size(),
                         rounding_tolerance<float>(roundings)))
        << name;
  };
  under_schedules([&] {
    run();
    check("y", y, want.y, s.W);
    check("new_context", new_context, want.new_context, 0);
    check("grad_u", grad_u, want.grad_u, 2 * s.W);
    check("grad_context", grad_context, want.grad_context, 2 * s.W);
    check("grad_weight", grad_weight, want.grad_weight, s.W + s.T);
    check("grad_bias", grad_bias, want.grad_bias, s.W + s.T);
  });
}

INSTANTIATE_TEST_SUITE_P(Shapes, CausalConv1dCuda,
                         ::testing::Values(Shape{{1, 1, 1, 1}, true, 0},
                                           Shape{{1, 1, 4, 4}, true, 4},
                                           Shape{{2, 2, 5, 4}, true, 3},
                                           Shape{{2, 31, 12, 4}, false, 4},
                                           Shape{{1, 32, 513, 4}, true, 0},
                                           Shape{{1, 33, 516, 4}, true, 8},
                                           Shape{{2, 65, 9, 2}, false, 1},
                                           Shape{{2, 70, 11, 7}, true, 1},
                                           Shape{{1, 5, 3, 40}, true, 0},
                                           Shape{{3, 130, 8, 4}, true, 0}));

}  // namespace
}  // namespace farstate::kernels
