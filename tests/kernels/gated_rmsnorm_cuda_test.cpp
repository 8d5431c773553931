// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gated_rmsnorm/gated_rmsnorm_cuda.h"

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
  GatedRmsNormSizes s;
  bool gated;
  int64_t gap;  // NaN between rows; a multiple of 4 keeps rows aligned
};

void PrintTo(const Shape& shape, std::ostream* out) {
  *out << "R " << shape.s.R << " C " << shape.s.C << " G " << shape.s.G << " gated "
       << shape.gated << " gap " << shape.gap;
}

using Wide = std::vector<double>;

class GatedRmsNormCuda : public ::testing::TestWithParam<Shape> {
 protected:
  const GatedRmsNormSizes s = GetParam().s;
  const bool gated = GetParam().gated;
  const int64_t row = s.C + GetParam().gap;
  GuardedBuffer<float> y{s.R * row}, z{s.R * row}, grad_out{s.R * row}, weight{s.C};
  GuardedBuffer<float> out{s.R * s.C}, rstd{s.R * s.G}, grad_y{s.R * s.C}, grad_z{s.R * s.C},
      grad_weight{s.backward_tasks() * s.C};

  GatedRmsNormCuda() {
    y.fill_normal(1, 0, 1, s.C, row);
    z.fill_normal(2, 0, 1, s.C, row);
    weight.fill_normal(3);
    grad_out.fill_normal(4, 0, 1, s.C, row);
  }

  void run() {
    const GatedRmsNormInputs<float> in{s, y.data(), row, gated ? z.data() : nullptr, row,
                                       weight.data()};
    cuda::gated_rmsnorm_forward({in, out.data(), rstd.data()}, {});
    cuda::gated_rmsnorm_backward({in, rstd.data(), grad_out.data(), row, grad_y.data(),
                                  gated ? grad_z.data() : nullptr, grad_weight.data()},
                                 {});
  }
};

TEST_P(GatedRmsNormCuda, EqualsItsDefinition) {
  const int64_t width = s.C / s.G;
  Wide want_out(s.R * s.C), want_rstd(s.R * s.G), want_y(s.R * s.C), want_z(s.R * s.C),
      want_weight(s.backward_tasks() * s.C);
  for (int64_t r = 0; r < s.R; ++r) {
    for (int64_t g = 0; g < s.G; ++g) {
      Wide v(width), by_y(width, 1), by_z(width);
      double squares = 0, along = 0;
      for (int64_t i = 0; i < width; ++i) {
        const int64_t c = g * width + i;
        v[i] = y[r * row + c];
        if (gated) {
          const double gate = z[r * row + c], sigmoid = 1 / (1 + std::exp(-gate));
          by_y[i] = gate * sigmoid;
          by_z[i] = v[i] * sigmoid * (1 + gate * (1 - sigmoid));
          v[i] *= by_y[i];
        }
        squares += v[i] * v[i];
        along += v[i] * weight[c] * grad_out[r * row + c];
      }
      const double scale = 1 / std::sqrt(squares / double(width) + s.eps);
      want_rstd[r * s.G + g] = scale;
      for (int64_t i = 0; i < width; ++i) {
        const int64_t c = g * width + i;
        const double grad = grad_out[r * row + c];
        want_out[r * s.C + c] = weight[c] * v[i] * scale;
        const double grad_v =
            scale * weight[c] * grad - v[i] * scale * scale * scale * along / double(width);
        want_y[r * s.C + c] = grad_v * by_y[i];
        want_z[r * s.C + c] = grad_v * by_z[i];
        want_weight[r / kNormRows * s.C + c] += grad * v[i] * scale;
      }
    }
  }
  const auto check = [](const char* name, const GuardedBuffer<float>& got, const Wide& wanted,
                        int64_t roundings) {
    EXPECT_TRUE(got.fences_intact()) << name;
    EXPECT_TRUE(close_to(got.data(), wanted.data(), got.size(),
                         rounding_tolerance<float>(roundings)))
        << name;
  };
  under_schedules([&] {
    run();
    check("out", out, want_out, width);
    check("rstd", rstd, want_rstd, width);
    check("grad_y", grad_y, want_y, width);
    check("grad_weight", grad_weight, want_weight, width + kNormRows);
    if (gated) check("grad_z", grad_z, want_z, width);
  });
}

TEST(GatedRmsNormCudaForward, NeedsNoPlaceForRstd) {
  GuardedBuffer<float> y(7), weight(7), out(7);
  y.fill_normal(1);
  weight.fill_normal(2);
  const GatedRmsNormInputs<float> in{{1, 7, 1, 1e-5}, y.data(), 7, nullptr, 0, weight.data()};
  cuda::gated_rmsnorm_forward({in, out.data(), nullptr}, {});
  for (int i = 0; i < 7; ++i) EXPECT_TRUE(std::isfinite(out[i]));
}

// Groups up to 512 channels are a warp's, wider ones a block's.
INSTANTIATE_TEST_SUITE_P(Shapes, GatedRmsNormCuda,
                         ::testing::Values(Shape{{1, 1, 1, 0.5}, true, 0},
                                           Shape{{9, 37, 1, 1e-5}, true, 3},
                                           Shape{{9, 64, 1, 1e-5}, false, 4},
                                           Shape{{kNormRows + 1, 64, 4, 1e-5}, true, 8},
                                           Shape{{5, 57, 3, 1e-5}, true, 0},
                                           Shape{{3, 513, 1, 1e-5}, true, 1},
                                           Shape{{3, 1040, 1, 1e-5}, true, 0},
                                           Shape{{2, 1282, 2, 1e-5}, false, 2},
                                           Shape{{2 * kNormRows, 1, 1, 1e-5}, true, 0}));

}  // namespace
}  // namespace farstate::kernels
