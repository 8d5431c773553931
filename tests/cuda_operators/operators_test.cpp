// SPDX-License-Identifier: GPL-3.0-or-later
// The operators' calls of the CUDA kernels: arguments, autograd, scratch memory. The kernels run on
// the emulator, so tensors on the CPU stand in for a device's; the oracles are the naive versions in
// double. What the kernels compute is tested by themselves (tests/kernels/*_cuda_test.cpp).
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "core/ops/backend.h"
#include "core/ops/causal_conv1d.h"
#include "core/ops/cross_entropy.h"
#include "core/ops/gated_rmsnorm.h"
#include "core/ops/on_device.h"
#include "core/ops/ssd_scan.h"
#include "core/ops/state_stats.h"
#include "tests/support/tensor_match.h"

namespace farstate::ops {
namespace {

using farstate::testing::close_to;
using farstate::testing::rounding_tolerance;
using farstate::testing::SeededTensors;
using torch::Tensor;

using Tensors = std::vector<Tensor>;
using Function = std::function<Tensors(const Tensors&)>;

class CudaOperators : public ::testing::Test {
 protected:
  Tensor normal(torch::IntArrayRef sizes) { return random_.normal(sizes, torch::kFloat); }

  // Results, then gradients of a weighted sum of them.
  static Tensors run(const Function& function, const Tensors& operands, torch::ScalarType dtype) {
    Tensors leaves, results;
    for (const Tensor& t : operands) leaves.push_back(t.detach().to(dtype, false, true).requires_grad_());
    SeededTensors random(5);
    Tensor loss = torch::zeros({}, leaves[0].options());
    for (const Tensor& result : function(leaves)) {
      results.push_back(result);
      loss = loss + (result * random.normal(result.sizes(), dtype)).sum();
    }
    const auto gradients = torch::autograd::grad({loss}, leaves);
    results.insert(results.end(), gradients.begin(), gradients.end());
    return results;
  }

  static void expect_equal(const Function& op, const Function& oracle, const Tensors& operands,
                           int64_t longest_sum) {
    const Tensors want = run(oracle, operands, torch::kDouble);
    reset_backend_uses();
    const ScopedDeviceWay way(Backend::kCudaKernel);
    const Tensors got = run(op, operands, torch::kFloat);
    for (size_t i = 0; i < want.size(); ++i) {
      EXPECT_TRUE(close_to(got[i], want[i], rounding_tolerance<float>(longest_sum))) << "tensor " << i;
    }
    ASSERT_FALSE(backend_uses().empty());
    EXPECT_EQ(backend_uses()[0].choice.backend, Backend::kCudaKernel);
  }

  SeededTensors random_{3};
};

TEST_F(CudaOperators, Convolution) {
  const auto of = [](auto op) {
    return [op](const Tensors& o) {
      const CausalConv1dResult r = op(o[0].slice(2, 0, 9), o[1], o[2], o[3]);
      return Tensors{r.y, r.context};
    };
  };
  for (const int64_t T : {1, 70}) {
    expect_equal(of(causal_conv1d_silu), of(causal_conv1d_silu_naive),
                 {normal({2, T, 13}), normal({9, 4}), normal({9}), normal({2, 3, 9})}, 200);
  }
}

TEST_F(CudaOperators, Norm) {
  const auto gated = [](auto op) {
    return [op](const Tensors& o) { return Tensors{op(o[0], o[2], o[1], 3, 1e-5)}; };
  };
  const auto plain = [](auto op) {
    return [op](const Tensors& o) { return Tensors{op(o[0], Tensor(), o[1], 1, 1e-5)}; };
  };
  const Tensor y = normal({2, 35, 12}), weight = normal({12}), z = normal({2, 35, 12});
  expect_equal(gated(gated_rmsnorm), gated(gated_rmsnorm_naive), {y, weight, z}, 100);
  expect_equal(plain(gated_rmsnorm), plain(gated_rmsnorm_naive), {y, weight}, 100);
}

TEST_F(CudaOperators, LossOfTheHeadInBlocks) {
  const Tensor targets = torch::tensor({3, 0, 40, 40, 5}, torch::kLong);
  const Function op = [&](const Tensors& o) {
    return Tensors{head_nll(o[0], o[1], targets, Compute::kFloat32, 2 * 41)};
  };
  const Function oracle = [&](const Tensors& o) { return Tensors{head_nll_naive(o[0], o[1], targets)}; };
  expect_equal(op, oracle, {normal({5, 6}), normal({41, 6})}, 60);
}

TEST_F(CudaOperators, StatisticsOfAState) {
  const Tensor h = normal({2, 3, 5, 7});
  h.view({-1})[9] = INFINITY;
  const Tensor want = state_stats(h);
  const ScopedDeviceWay way(Backend::kCudaKernel);
  EXPECT_TRUE(close_to(state_stats(h), want, rounding_tolerance<double>(40)));
}

struct ScanShape {
  int64_t B, T, H, P, N, G;
};

class CudaScan : public CudaOperators, public ::testing::WithParamInterface<ScanShape> {};

TEST_P(CudaScan, WithBothEndsOfTheState) {
  const ScanShape s = GetParam();
  SsdScanOptions options;
  options.groups = s.G;
  options.state_dim = s.N;
  options.dt_max = 1.5;
  const auto of = [&](auto op) {
    return [op, options](const Tensors& o) {
      const SsdScanResult r = op(o[0], o[1], o[2], o[3], o[4], o[5], options);
      return Tensors{r.y, r.h_last};
    };
  };
  expect_equal(of(ssd_scan), of(ssd_scan_naive),
               {normal({s.B, s.T, s.H * s.P + 2 * s.G * s.N}), normal({s.B, s.T, s.H}) - 1,
                -normal({s.H}).abs() - 0.01, normal({s.H}), normal({s.H}),
                normal({s.B, s.H, s.P, s.N})},
               s.N + s.P * s.H + 2 * s.T + 64);
}

INSTANTIATE_TEST_SUITE_P(Shapes, CudaScan,
                         ::testing::Values(ScanShape{1, 1, 2, 8, 16, 1}, ScanShape{2, 65, 4, 5, 7, 2},
                                           ScanShape{1, 130, 2, 16, 16, 2}));

// Neither D, nor dt_bias, nor an initial state; then statistics, which have no gradient.
TEST_F(CudaOperators, ScanWithoutWhatIsOptional) {
  SsdScanOptions options;
  options.state_dim = 9;
  const auto of = [&](auto op) {
    return [op, options](const Tensors& o) {
      return Tensors{op(o[0], o[1], o[2], Tensor(), Tensor(), Tensor(), options).y};
    };
  };
  expect_equal(of(ssd_scan), of(ssd_scan_naive),
               {normal({1, 66, 2 * 6 + 18}), normal({1, 66, 2}) - 1, -normal({2}).abs() - 0.01}, 250);
}

TEST_F(CudaOperators, StatisticsOfTheScanAndItsStep) {
  SsdScanOptions options;
  options.groups = 2;
  options.state_dim = 7;
  const Tensor xBC = normal({2, 66, 4 * 5 + 28}), dt = normal({2, 66, 4}) - 1, A = -normal({4}).abs();
  const Tensor D = normal({4}), bias = normal({4}), h_first = normal({2, 4, 5, 7});
  const auto in_double = [](const Tensor& t) { return t.to(torch::kDouble); };
  options.stat_positions = {0, 40, 65};
  const SsdScanResult want =
      ssd_scan_naive(in_double(xBC), in_double(dt), in_double(A), in_double(D), in_double(bias),
                     in_double(h_first), options);
  const ScopedDeviceWay way(Backend::kCudaKernel);
  const SsdScanResult got = ssd_scan(xBC, dt, A, D, bias, h_first, options);
  EXPECT_TRUE(close_to(got.stats, want.stats, rounding_tolerance<float>(300)));
  Tensor h = h_first.clone();
  options.stat_positions.clear();
  for (int64_t t = 0; t < 66; ++t) {
    const Tensor y = ssd_step(xBC.select(1, t), dt.select(1, t), A, D, bias, h, options);
    EXPECT_TRUE(close_to(y, want.y.select(1, t), rounding_tolerance<float>(200))) << t;
  }
  EXPECT_TRUE(close_to(h, want.h_last, rounding_tolerance<float>(200)));
}

}  // namespace
}  // namespace farstate::ops
