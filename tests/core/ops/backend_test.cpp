// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/ops/causal_conv1d.h"
#include "core/ops/cross_entropy.h"
#include "core/ops/gated_rmsnorm.h"
#include "core/ops/linear.h"
#include "core/ops/on_device.h"
#include "core/ops/state_stats.h"
#include "tests/support/gradcheck.h"
#include "tests/support/refusal.h"
#include "tests/support/tensor_match.h"

namespace farstate::ops {
namespace {

using farstate::testing::close_to;
using farstate::testing::rounding_tolerance;
using farstate::testing::SeededTensors;
using ::testing::HasSubstr;
using torch::Tensor;

const at::Device kCuda(at::kCUDA, 0);

TEST(Backend, OnTheCpuIsOurKernel) {
  for (const Operator op : kOperators) {
    EXPECT_EQ(choose_backend(op, at::kCPU, at::kDouble, {}).backend, Backend::kCpuKernel);
  }
}

TEST(Backend, OnADeviceSaysWhyItIsAten) {
  kernels::SsdScanSizes sizes;
  sizes.B = 1, sizes.T = 64, sizes.H = 4, sizes.P = 64, sizes.N = 128;
  for (const Operator op : kOperators) {
    const BackendChoice choice = choose_backend(op, kCuda, at::kDouble, sizes);
    EXPECT_EQ(choice.backend, Backend::kAten) << name_of(op);
    EXPECT_NE(choice.why, "") << name_of(op);
  }
  EXPECT_THAT(choose_backend(Operator::kLinear, kCuda, at::kFloat, sizes).why, HasSubstr("cuBLAS"));
  const BackendChoice scan = choose_backend(Operator::kSsdScan, kCuda, at::kFloat, sizes);
  if (kHasCudaKernels) {
    EXPECT_EQ(scan.backend, Backend::kCudaKernel);
    sizes.N = 1 << 20;
    EXPECT_THAT(choose_backend(Operator::kSsdScan, kCuda, at::kFloat, sizes).why,
                HasSubstr("N = 1048576"));
  } else {
    EXPECT_EQ(scan.backend, Backend::kAten);
    EXPECT_THAT(scan.why, HasSubstr("no CUDA kernels"));
  }
}

// What ran is known afterwards, and nothing of it where all ran on the CPU.
TEST(Backend, CountsWhatRan) {
  reset_backend_uses();
  const Tensor x = SeededTensors(1).normal({3, 8}, torch::kFloat);
  const Tensor weight = torch::ones({8});
  gated_rmsnorm(x, {}, weight, 1, 1e-5);
  EXPECT_TRUE(backend_uses().empty());
  {
    const ScopedDeviceWay way(Backend::kAten);
    gated_rmsnorm(x, {}, weight, 1, 1e-5);
    gated_rmsnorm(x, {}, weight, 2, 1e-5);
  }
  gated_rmsnorm(x, {}, weight, 1, 1e-5);
  const auto uses = backend_uses();
  ASSERT_EQ(uses.size(), 1U);
  EXPECT_EQ(uses[0].op, Operator::kGatedRmsNorm);
  EXPECT_EQ(uses[0].choice.backend, Backend::kAten);
  EXPECT_EQ(uses[0].calls, 2);
}

// Every operator on the way of a device gives the results and gradients of the CPU's.
class DeviceWay : public ::testing::Test {
 protected:
  using Function = std::function<std::vector<Tensor>(const std::vector<Tensor>&)>;

  static std::vector<Tensor> run(const Function& function, const std::vector<Tensor>& operands) {
    std::vector<Tensor> leaves, results;
    for (const Tensor& t : operands) leaves.push_back(t.detach().clone().requires_grad_());
    SeededTensors random(5);
    Tensor loss = torch::zeros({}, operands[0].options());
    for (const Tensor& result : function(leaves)) {
      results.push_back(result);
      loss = loss + (result * random.normal(result.sizes(), result.scalar_type())).sum();
    }
    const auto gradients = torch::autograd::grad({loss}, leaves);
    results.insert(results.end(), gradients.begin(), gradients.end());
    return results;
  }

  static void expect_same(const Function& function, const std::vector<Tensor>& operands) {
    const auto want = run(function, operands);
    const ScopedDeviceWay way(Backend::kAten);
    const auto got = run(function, operands);
    for (size_t i = 0; i < want.size(); ++i) {
      EXPECT_TRUE(close_to(got[i], want[i], rounding_tolerance<double>(300))) << "tensor " << i;
    }
  }

  SeededTensors random_{3};
  Tensor normal(torch::IntArrayRef sizes) { return random_.normal(sizes, torch::kDouble); }
};

TEST_F(DeviceWay, OfTheConvolution) {
  expect_same(
      [](const std::vector<Tensor>& o) {
        const auto r = causal_conv1d_silu(o[0], o[1], o[2], o[3]);
        return std::vector<Tensor>{r.y, r.context};
      },
      {normal({2, 5, 7}), normal({7, 4}), normal({7}), normal({2, 3, 7})});
}

TEST_F(DeviceWay, OfTheNorm) {
  expect_same(
      [](const std::vector<Tensor>& o) {
        return std::vector<Tensor>{gated_rmsnorm(o[0], o[1], o[2], 3, 1e-5)};
      },
      {normal({2, 5, 12}), normal({2, 5, 12}), normal({12})});
}

TEST_F(DeviceWay, OfTheProjection) {
  expect_same(
      [](const std::vector<Tensor>& o) { return std::vector<Tensor>{linear(o[0], o[1], o[2])}; },
      {normal({2, 5, 12}), normal({7, 12}), normal({7})});
}

TEST_F(DeviceWay, OfTheLossInBlocks) {
  const Tensor targets = torch::tensor({3, 0, 10, 10, 5}, torch::kLong);
  expect_same(
      [&](const std::vector<Tensor>& o) {
        return std::vector<Tensor>{head_nll(o[0], o[1], targets, Compute::kFloat32, 2 * 11)};
      },
      {normal({5, 6}), normal({11, 6})});
}

TEST_F(DeviceWay, OfTheScan) {
  SsdScanOptions options;
  options.groups = 2;
  options.state_dim = 6;
  expect_same(
      [&](const std::vector<Tensor>& o) {
        const auto r = ssd_scan(o[0], o[1], o[2], o[3], o[4], o[5], options);
        return std::vector<Tensor>{r.y, r.h_last};
      },
      {normal({2, 70, 4 * 5 + 24}), normal({2, 70, 4}), -normal({4}).abs(), normal({4}),
       normal({4}), normal({2, 4, 5, 6})});
}

// A bfloat16 product rounds the same operands on either way.
TEST_F(DeviceWay, OfRoundedProducts) {
  const Tensor x = normal({5, 12}).to(torch::kFloat), weight = normal({7, 12}).to(torch::kFloat);
  const Tensor want = linear(x, weight, {}, Compute::kBFloat16);
  const ScopedDeviceWay way(Backend::kAten);
  EXPECT_TRUE(close_to(linear(x, weight, {}, Compute::kBFloat16), want,
                       rounding_tolerance<float>(12)));
}

TEST_F(DeviceWay, ChecksShapes) {
  const ScopedDeviceWay way(Backend::kAten);
  SsdScanOptions options;
  options.state_dim = 6;
  EXPECT_THROW(ssd_scan(normal({1, 3, 20}), normal({1, 3, 3}), -normal({3}).abs(), {}, {}, {}, options),
               Error);
  EXPECT_THROW(causal_conv1d_silu(normal({2, 5, 7}), normal({6, 4}), {}, {}), Error);
  EXPECT_THROW(gated_rmsnorm(normal({5, 7}), {}, normal({7}), 2, 1e-5), Error);
}

}  // namespace
}  // namespace farstate::ops
