// SPDX-License-Identifier: GPL-3.0-or-later
// Tensors for tests: seeded, compared with an oracle, compared to the bit.
#pragma once

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <torch/types.h>

#include <cstring>
#include <functional>
#include <vector>

#include "tests/support/tolerance.h"

namespace farstate::testing {

// N(0,1) numbers from one seed; a failure names the seed so that it can be replayed.
class SeededTensors {
 public:
  explicit SeededTensors(uint64_t seed)
      : seed_(seed), generator_(at::detail::createCPUGenerator(seed)) {}

  torch::Tensor normal(torch::IntArrayRef sizes, torch::ScalarType dtype) {
    return at::randn(sizes, generator_, torch::TensorOptions().dtype(torch::kDouble)).to(dtype);
  }

  uint64_t seed() const { return seed_; }

 private:
  uint64_t seed_;
  at::Generator generator_;
};

inline ::testing::AssertionResult close_to(const torch::Tensor& got, const torch::Tensor& want,
                                           Tolerance tolerance) {
  if (!got.defined() || !want.defined() || got.sizes() != want.sizes()) {
    return ::testing::AssertionFailure() << "shapes differ or a tensor is missing";
  }
  const torch::Tensor g = got.detach().to(torch::kDouble).contiguous();
  const torch::Tensor w = want.detach().to(torch::kDouble).contiguous();
  return close_to(g.data_ptr<double>(), w.data_ptr<double>(), g.numel(), tolerance);
}

// Same dtype, same shape, same bits.
inline ::testing::AssertionResult same_bits(const torch::Tensor& got, const torch::Tensor& want) {
  if (!got.defined() || !want.defined() || got.sizes() != want.sizes() ||
      got.scalar_type() != want.scalar_type()) {
    return ::testing::AssertionFailure() << "shapes or dtypes differ or a tensor is missing";
  }
  const torch::Tensor g = got.detach().contiguous(), w = want.detach().contiguous();
  if (std::memcmp(g.data_ptr(), w.data_ptr(), g.nbytes()) == 0) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure()
         << "largest difference " << (g - w).abs().max().item<double>();
}

// One thread, two threads and a second run must give the same bits.
inline void expect_reproducible(const std::function<std::vector<torch::Tensor>()>& compute) {
  const int threads = at::get_num_threads();
  at::set_num_threads(1);
  const auto one = compute();
  at::set_num_threads(2);
  const auto two = compute(), again = compute();
  at::set_num_threads(threads);
  for (size_t i = 0; i < one.size(); ++i) {
    EXPECT_TRUE(same_bits(two[i], one[i])) << "result " << i << ", two threads";
    EXPECT_TRUE(same_bits(again[i], two[i])) << "result " << i << ", second run";
  }
}

}  // namespace farstate::testing
