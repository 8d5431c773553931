// SPDX-License-Identifier: GPL-3.0-or-later
// Tiles: what inputs are rounded to, and products from both orientations of both operands.
#include "kernels/cuda/tile.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/support/guarded_buffer.h"

namespace farstate::kernels::cuda {
namespace {

using farstate::testing::GuardedBuffer;
using farstate::testing::emulator::set_schedule;

TEST(TileRounding, Tf32KeepsElevenBits) {
  EXPECT_EQ(round_to_tf32(1 + 0x1p-10f), 1 + 0x1p-10f);
  EXPECT_EQ(round_to_tf32(1 + 0x1p-11f), 1 + 0x1p-10f);  // a tie: away from zero
  EXPECT_EQ(round_to_tf32(-1 - 0x1p-11f), -1 - 0x1p-10f);
  EXPECT_EQ(round_to_tf32(1 + 0x1p-11f - 0x1p-23f), 1);
  EXPECT_EQ(round_to_tf32(-INFINITY), -INFINITY);
  EXPECT_TRUE(std::isnan(round_to_tf32(NAN)));
}

TEST(TileRounding, Bf16KeepsEightBits) {
  EXPECT_EQ(round_to_bf16(1 + 0x1p-7f), 1 + 0x1p-7f);
  EXPECT_EQ(round_to_bf16(1 + 0x1p-8f), 1);  // a tie: to even
  EXPECT_EQ(round_to_bf16(1 + 0x3p-8f), 1 + 0x1p-6f);
  EXPECT_EQ(round_to_bf16(1 + 0x1p-8f + 0x1p-23f), 1 + 0x1p-7f);
  EXPECT_EQ(round_to_bf16(std::numeric_limits<float>::max()), INFINITY);
  EXPECT_TRUE(std::isnan(round_to_bf16(NAN)));
}

struct ProductArgs {
  const float *a, *b;
  int rows, depth, columns;
  float* product;  // [64,64]
};

// a is [rows,depth] or [depth,rows] as kA says, b [columns,depth] or [depth,columns].
template <MatrixInputs kInputs, Depth kA, Depth kB>
__global__ void product_kernel(ProductArgs args) {
  SharedCarver shared;
  const Tile a(shared), b(shared);
  const auto matrix = [&](const float* from, Depth along, int outer) {
    const bool columns = along == Depth::kColumns;
    return Rows{from, columns ? args.depth : outer, columns ? outer : args.depth,
                columns ? args.depth : outer};
  };
  stage<kInputs>(a, matrix(args.a, kA, args.rows));
  stage<kInputs>(b, matrix(args.b, kB, args.columns));
  __syncthreads();
  Product product;
  multiply<kInputs, kA, kB>(product, a, b, 0, depth_of(args.depth));
  for_each_pair(product, [&](int, int row, int column, float x, float y) {
    args.product[row * kTile + column] = x;
    args.product[row * kTile + column + 1] = y;
  });
}

template <MatrixInputs kInputs, Depth kA, Depth kB>
void expect_product(int rows, int depth, int columns) {
  GuardedBuffer<float> a(rows * depth), b(depth * columns), product(kTile * kTile);
  a.fill_normal(1);
  b.fill_normal(2);
  set_schedule(3);
  launch<product_kernel<kInputs, kA, kB>>(
      Grid{1}, kTileThreads, 2 * kTileBytes, Stream{},
      ProductArgs{a.data(), b.data(), rows, depth, columns, product.data()});
  set_schedule(0);
  for (int i = 0; i < kTile; ++i) {
    for (int j = 0; j < kTile; ++j) {
      double want = 0, size = 0;
      for (int k = 0; k < depth && i < rows && j < columns; ++k) {
        const float left = a[kA == Depth::kColumns ? i * depth + k : k * rows + i];
        const float right = b[kB == Depth::kColumns ? j * depth + k : k * columns + j];
        const double term = double(round_input<kInputs>(left)) * round_input<kInputs>(right);
        want += term;
        size += std::abs(term);
      }
      // 64 additions, each off by half an epsilon of a sum below `size`.
      ASSERT_NEAR(product[i * kTile + j], want, 32 * 0x1p-23 * size) << i << ", " << j;
    }
  }
}

template <MatrixInputs kInputs>
void expect_products() {
  expect_product<kInputs, Depth::kColumns, Depth::kColumns>(64, 64, 64);
  expect_product<kInputs, Depth::kColumns, Depth::kRows>(63, 17, 33);
  expect_product<kInputs, Depth::kRows, Depth::kColumns>(20, 64, 64);
  expect_product<kInputs, Depth::kRows, Depth::kRows>(64, 40, 1);
}

TEST(TileProduct, OfUnroundedInputs) { expect_products<MatrixInputs::kFp32>(); }
TEST(TileProduct, OfTf32Inputs) { expect_products<MatrixInputs::kTf32>(); }
TEST(TileProduct, OfBf16Inputs) { expect_products<MatrixInputs::kBf16>(); }

}  // namespace
}  // namespace farstate::kernels::cuda
