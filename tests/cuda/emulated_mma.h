// SPDX-License-Identifier: GPL-3.0-or-later
// The tensor cores' mma.sync for the emulator, as the PTX ISA lays its operands out over the lanes
// of a warp (sections "Matrix Fragments for mma.m16n8k8" and "... m16n8k16"): with
// g = lane / 4 and t = lane % 4, of d [16,8]: d0, d1 are (g, 2t), (g, 2t+1), d2, d3 the same of row
// g+8. Real tensor cores add the products in an order and with a precision that nobody documents;
// here they are added in fp32, in ascending order.
#pragma once

#include <bit>

#include "tests/cuda/emulator.h"

namespace farstate::testing::emulator {

// What the lanes of a warp hand in, by row and column.
template <int kDepth>
struct MmaOperands {
  float a[16][kDepth], b[kDepth][8];
};

// A lane is no barrier for memory; shuffles only hold the lanes together.
inline void meet() { __shfl_sync(0xffffffffu, 0, 0); }

// `place` puts this lane's registers into the operands.
template <int kDepth, class Place>
void emulated_mma(float (&d)[4], const Place& place) {
  static MmaOperands<kDepth> operands[kMostThreads / 32];
  const int lane = this_lane(), g = lane / 4, t = lane % 4;
  MmaOperands<kDepth>& of_warp = operands[threadIdx.x / 32];
  place(of_warp, g, t);
  meet();
  float sum[4];
  for (int i = 0; i < 4; ++i) {
    const int row = g + i / 2 * 8, column = 2 * t + i % 2;
    sum[i] = d[i];
    for (int k = 0; k < kDepth; ++k) sum[i] += of_warp.a[row][k] * of_warp.b[k][column];
  }
  meet();
  for (int i = 0; i < 4; ++i) d[i] = sum[i];
}

// mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
inline void mma_tf32(float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
  const auto number = [](uint32_t bits) {
    if (bits & 0x1fff) fail("gives mma a number that is not rounded to tf32");
    return std::bit_cast<float>(bits);
  };
  emulated_mma<8>(d, [&](MmaOperands<8>& to, int g, int t) {
    for (int i = 0; i < 4; ++i) to.a[g + i % 2 * 8][t + i / 2 * 4] = number(a[i]);
    for (int i = 0; i < 2; ++i) to.b[t + i * 4][g] = number(b[i]);
  });
}

// mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32, two numbers to a register.
inline void mma_bf16(float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
  const auto low = [](uint32_t pair) { return std::bit_cast<float>(pair << 16); };
  const auto high = [](uint32_t pair) { return std::bit_cast<float>(pair & 0xffff0000u); };
  emulated_mma<16>(d, [&](MmaOperands<16>& to, int g, int t) {
    for (int i = 0; i < 4; ++i) {
      const int row = g + i % 2 * 8, column = 2 * t + i / 2 * 8;
      to.a[row][column] = low(a[i]);
      to.a[row][column + 1] = high(a[i]);
    }
    for (int i = 0; i < 2; ++i) {
      const int row = 2 * t + i * 8;
      to.b[row][g] = low(b[i]);
      to.b[row + 1][g] = high(b[i]);
    }
  });
}

}  // namespace farstate::testing::emulator
