// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/tensor_memory.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include <vector>

namespace farstate::ops {
namespace {

constexpr int64_t kMebi = int64_t{1} << 20;

torch::Tensor block(int64_t mebibytes) {
  return torch::empty({mebibytes * kMebi}, torch::kByte);
}

class TensorMemory : public ::testing::Test {
 protected:
  void SetUp() override { install_tensor_memory(); }
};

TEST_F(TensorMemory, AFreedBlockServesTheNextTensorOfItsSize) {
  const TensorMemoryUse before = tensor_memory_use();
  torch::Tensor first = block(3);
  const void* data = first.data_ptr();
  EXPECT_EQ(tensor_memory_use().in_use, before.in_use + 3 * kMebi);
  first.reset();
  EXPECT_EQ(tensor_memory_use().in_use, before.in_use);
  EXPECT_EQ(block(3).data_ptr(), data);
}

TEST_F(TensorMemory, WhatIsHeldStaysNearThePeakWhateverTheSizes) {
  for (int64_t size = 1; size < 60; ++size) {  // every size is new: no freed block fits
    torch::Tensor a = block(size), b = block(61 - size);
    const TensorMemoryUse use = tensor_memory_use();
    EXPECT_LE(use.in_use + use.kept, use.peak + kTensorMemorySlack);
  }
}

TEST_F(TensorMemory, TensorsAreTheirOwnAndSmallOnesToo) {
  std::vector<torch::Tensor> tensors;
  for (const int64_t size : {1, 63, 4096, 262143, 262144, 1 << 20, 1 << 20, (1 << 20) + 1}) {
    tensors.push_back(torch::full({size}, static_cast<int64_t>(tensors.size()), torch::kByte));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(tensors.back().data_ptr()) % 64, 0U);
  }
  for (size_t i = 0; i < tensors.size(); ++i) {
    EXPECT_TRUE(tensors[i].eq(static_cast<int64_t>(i)).all().item<bool>());
  }
  EXPECT_EQ(torch::empty({0}).numel(), 0);
}

}  // namespace
}  // namespace farstate::ops
