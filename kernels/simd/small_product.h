// SPDX-License-Identifier: GPL-3.0-or-later
// Products of matrices that lie in the first two caches, for kernels that make other things of the
// products' tiles before they reach memory. A tile is kTileRows rows of one or two vectors, which
// stay in registers over the whole depth; its left operand is broadcast, its right one is read in
// vectors. Only for <op>_cpu.cpp files.
#pragma once

#include "kernels/simd/lanes.h"

namespace farstate::kernels::FARSTATE_ISA {

// With two vectors per row three quarters of 16 registers are sums, half of 32.
inline constexpr int kTileRows = kRegisters == 16 ? 6 : 8;

template <class Real, int NV>
using Tile = Vec<Real>[kTileRows][NV];

// Left operands: element (m, k), m a row of the tile.
template <class Real>
struct Rows {
  const Real* first;
  int64_t stride;
  FARSTATE_INLINE Real operator()(int m, int64_t k) const { return first[m * stride + k]; }
};
template <class Real>
struct Columns {
  const Real* first;
  int64_t stride;
  FARSTATE_INLINE Real operator()(int m, int64_t k) const { return first[k * stride + m]; }
};

// sum[m][v] += sum over k < depth of left(m, k) right[k * stride + v * lanes …]
template <class Real, int NV, class Left>
FARSTATE_INLINE void add_product(Tile<Real, NV>& sum, const Left left, const Real* right,
                                 int64_t stride, int64_t depth) {
  for (int64_t k = 0; k < depth; ++k, right += stride) {
    Vec<Real> factors[NV];
    for (int v = 0; v < NV; ++v) factors[v] = load(right + v * kLanes<Real>);
#pragma GCC unroll 8
    for (int m = 0; m < kTileRows; ++m) {
      const Vec<Real> of_row = broadcast(left(m, k));
      for (int v = 0; v < NV; ++v) sum[m][v] += of_row * factors[v];
    }
  }
}

template <int NV>
struct Vectors {
  static constexpr int count = NV;
};

// Calls body(Vectors<NV>, first column) for each strip of two vectors of columns, and of one at the
// end where an odd number of vectors covers `columns`.
template <class Real, class Body>
FARSTATE_INLINE void for_each_strip(int64_t columns, const Body& body) {
  constexpr int64_t lanes = kLanes<Real>;
  int64_t n = 0;
  for (; n + lanes < columns; n += 2 * lanes) body(Vectors<2>(), n);
  if (n < columns) body(Vectors<1>(), n);
}

// Calls body(vectors, first row, first column) for the tiles of rows x columns.
template <class Real, class Body>
FARSTATE_INLINE void for_each_tile(int64_t rows, int64_t columns, const Body& body) {
  for_each_strip<Real>(columns, [&](auto vectors, int64_t n0) {
    for (int64_t m0 = 0; m0 < rows; m0 += kTileRows) body(vectors, m0, n0);
  });
}

}  // namespace farstate::kernels::FARSTATE_ISA
