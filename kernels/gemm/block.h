// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a matrix product that other kernels build on too: operands brought into the order in
// which the innermost loop reads them, and that loop, whose accumulators fill the registers. Only
// for <op>_cpu.cpp files.
//
// For some depth of k, B lies in panels of kTileColumns columns, each [depth, kTileColumns] (the last
// one a single vector wide where that is enough), and A in strips of kTileRows rows, each
// [depth, kTileRows] (the last one with the rows that are left). A panel of kGemmDepth is half of a
// first-level cache of 32 KiB and stays there while the strips of a block of rows pass by.
#pragma once

#include "kernels/gemm/gemm.h"
#include "kernels/simd/lanes.h"

namespace farstate::kernels::FARSTATE_ISA {

// Of 16 registers, 12 accumulate, of 32 registers 28; the others hold a row of the panel and one
// element of A.
inline constexpr int kTileRows = kRegisters == 32 ? 14 : 6;
inline constexpr int kTileVectors = 2;
template <class Real>
inline constexpr int64_t kTileColumns = kTileVectors * kLanes<Real>;

FARSTATE_INLINE Vec<float> widen_first(const float* from, int64_t count) {
  return load_first(from, count);
}
FARSTATE_INLINE Vec<double> widen_first(const double* from, int64_t count) {
  return load_first(from, count);
}
FARSTATE_INLINE Vec<float> widen_first(const Bf16* from, int64_t count) {
  IntVec<float> bits{};
  for (int64_t i = 0; i < count; ++i) bits[i] = static_cast<int32_t>(from[i].bits);
  return reinterpret_cast<Vec<float>>(bits << 16);
}

// From one panel to the next, and from one strip to the next. As powers of two they would share a few
// sets of the cache, and packing writes to all of them in turn.
template <class Real>
FARSTATE_INLINE int64_t panel_pitch(int64_t depth) {
  return odd_lines<Real>(depth * kTileColumns<Real>);
}
template <class Real>
FARSTATE_INLINE int64_t strip_pitch(int64_t depth) {
  return odd_lines<Real>(depth * kTileRows + kLanes<Real>);
}

// Room for the panels of so many columns, and for the strips of so many rows.
template <class Real>
FARSTATE_INLINE int64_t panels_size(int64_t columns, int64_t depth) {
  return round_up(columns, kTileColumns<Real>) / kTileColumns<Real> * panel_pitch<Real>(depth);
}
template <class Real>
FARSTATE_INLINE int64_t strips_size(int64_t rows, int64_t depth) {
  return round_up(rows, kTileRows) / kTileRows * strip_pitch<Real>(depth);
}

// Rows of B, each read in one go, since the next one may be a page away -> panels, zero beyond
// `columns`.
template <class Real, class Number>
FARSTATE_INLINE void pack_rows_of_B(const Number* B, int64_t row_stride, int64_t depth,
                                    int64_t columns, Real* panels) {
  constexpr int64_t lanes = kLanes<Real>, width = kTileColumns<Real>;
  const int64_t pitch = panel_pitch<Real>(depth);
  const int64_t whole = columns / width, left = columns % width;
  const int64_t last_width = round_up(left, lanes);
  for (int64_t k = 0; k < depth; ++k) {
    const Number* const row = B + k * row_stride;
    for (int64_t p = 0; p < whole; ++p) {
      Real* const to = panels + p * pitch + k * width;
      for (int v = 0; v < kTileVectors; ++v) {
        store<Real>(to + v * lanes, widen_first(row + p * width + v * lanes, lanes));
      }
    }
    Real* const to = panels + whole * pitch + k * last_width;
    for (int64_t j = 0; j < left; j += lanes) {
      store<Real>(to + j, widen_first(row + whole * width + j, smaller(lanes, left - j)));
    }
  }
}

// Columns of B, a square at a time -> one panel of `width`, one or two vectors.
template <class Real, class Number>
FARSTATE_INLINE void pack_square_of_B(const Number* B, int64_t column_stride, int64_t depth,
                                      int64_t columns, int64_t width, Real* panel) {
  constexpr int64_t lanes = kLanes<Real>;
  Vec<Real> rows[lanes];
  for (int64_t j = 0; j < lanes; ++j) {
    rows[j] = j < columns ? widen_first(B + j * column_stride, depth) : Vec<Real>{};
  }
  transpose<Real>(rows);
  for (int64_t k = 0; k < lanes; ++k) {
    if (k < depth) store<Real>(panel + k * width, rows[k]);
  }
}

template <class Real, class Number>
FARSTATE_INLINE void pack_columns_of_B(const Number* B, int64_t column_stride, int64_t depth,
                                       int64_t columns, int64_t width, Real* panel) {
  constexpr int64_t lanes = kLanes<Real>;
  for (int64_t j = 0; j < width; j += lanes) {
    const int64_t count = smaller(lanes, columns - j);
    for (int64_t k = 0; k < depth; k += lanes) {
      const Number* const from = B + j * column_stride + k;
      Real* const to = panel + k * width + j;
      const int64_t steps = smaller(lanes, depth - k);
      if (count == lanes && steps == lanes) {
        pack_square_of_B<Real>(from, column_stride, lanes, lanes, width, to);
      } else {
        pack_square_of_B<Real>(from, column_stride, steps, count, width, to);
      }
    }
  }
}

// Rows [k0, k0 + depth) and columns [j0, j0 + columns) of B -> panels.
template <class Real, class Number>
void pack_B(const MatrixView<Number>& B, int64_t k0, int64_t depth, int64_t j0, int64_t columns,
            Real* panels) {
  const Number* const from = B.data + k0 * B.row_stride + j0 * B.column_stride;
  if (B.column_stride == 1) return pack_rows_of_B(from, B.row_stride, depth, columns, panels);
  for (int64_t j = 0; j < columns; j += kTileColumns<Real>) {
    const int64_t count = smaller(kTileColumns<Real>, columns - j);
    pack_columns_of_B(from + j * B.column_stride, B.column_stride, depth, count,
                      round_up(count, kLanes<Real>), panels);
    panels += panel_pitch<Real>(depth);
  }
}

template <class Real>
inline constexpr int64_t kLine = 64 / static_cast<int64_t>(sizeof(Real));
inline constexpr int64_t kAhead = 8;

// For every k, `strips` times `Rows` neighbours of a column of A -> strips [depth, Rows], `pitch`
// apart. The column is read in one go, since the next one may be a page away.
template <class Real, int Rows>
FARSTATE_INLINE void pack_columns_of_A(const Real* A, int64_t column_stride, int64_t depth,
                                       int64_t strips, int64_t pitch, Real* to) {
  for (int64_t k = 0; k < depth; ++k) {
    const Real* const column = A + k * column_stride;
    for (int64_t i = 0; i < strips * Rows; i += kLine<Real>) {
      __builtin_prefetch(column + kAhead * column_stride + i);
    }
    for (int64_t i = 0; i < strips; ++i) {
      __builtin_memcpy(to + i * pitch + k * Rows, column + i * Rows, Rows * sizeof(Real));
    }
  }
}

// Rows of A, transposed a square at a time. A vector that is wider than the strip is stored whole:
// what is too much is overwritten by the next k, or lies behind the strip, which has room for it.
template <class Real, int Rows>
FARSTATE_INLINE void pack_rows_of_A(const Real* A, int64_t row_stride, int64_t depth, Real* strip) {
  constexpr int lanes = kLanes<Real>;
  int64_t k = 0;
  for (; k + lanes <= depth; k += lanes) {
#pragma GCC unroll 4
    for (int i0 = 0; i0 < Rows; i0 += lanes) {
      Vec<Real> rows[lanes] = {};
#pragma GCC unroll 16
      for (int i = 0; i < lanes; ++i) {
        if (i0 + i < Rows) rows[i] = load(A + (i0 + i) * row_stride + k);
      }
      transpose<Real>(rows);
#pragma GCC unroll 16
      for (int step = 0; step < lanes; ++step) {
        if constexpr (Rows >= lanes) {
          store_first<Real>(strip + (k + step) * Rows + i0, rows[step], smaller(lanes, Rows - i0));
        } else {
          store<Real>(strip + (k + step) * Rows, rows[step]);
        }
      }
    }
  }
  for (; k < depth; ++k) {
    for (int i = 0; i < Rows; ++i) strip[k * Rows + i] = A[i * row_stride + k];
  }
}

template <class Real, int Rows>
FARSTATE_INLINE void pack_strips(const Real* A, int64_t row_stride, int64_t column_stride,
                                 int64_t depth, int64_t strips, Real* to) {
  const int64_t pitch = strip_pitch<Real>(depth);
  if (row_stride == 1) {
    pack_columns_of_A<Real, Rows>(A, column_stride, depth, strips, pitch, to);
  } else {
    for (int64_t i = 0; i < strips; ++i) {
      pack_rows_of_A<Real, Rows>(A + i * Rows * row_stride, row_stride, depth, to + i * pitch);
    }
  }
}

// Calls body(std::integral_constant<int, rows>) for rows in [1, Rows].
template <int Rows, class Body>
FARSTATE_INLINE void with_rows(int64_t rows, const Body& body) {
  if constexpr (Rows > 1) {
    if (rows < Rows) return with_rows<Rows - 1>(rows, body);
  }
  body(std::integral_constant<int, Rows>());
}

// Rows [i0, i0 + rows) and columns [k0, k0 + depth) of A -> strips.
template <class Real>
void pack_A(const MatrixView<Real>& A, int64_t i0, int64_t rows, int64_t k0, int64_t depth,
            Real* strips) {
  const Real* const from = A.data + i0 * A.row_stride + k0 * A.column_stride;
  const int64_t whole = rows / kTileRows, left = rows % kTileRows;
  pack_strips<Real, kTileRows>(from, A.row_stride, A.column_stride, depth, whole, strips);
  if (left == 0) return;
  const int64_t done = whole * kTileRows;
  with_rows<kTileRows - 1>(left, [&](auto height) {
    pack_strips<Real, height>(from + done * A.row_stride, A.row_stride, A.column_stride, depth, 1,
                              strips + whole * strip_pitch<Real>(depth));
  });
}

// Where sums go: to C, with what is at the same place of `addend` (null: nothing) added.
template <class Real>
struct SumsTarget {
  Real* C;
  int64_t C_stride;
  const Real* addend;
  int64_t addend_stride;

  FARSTATE_INLINE SumsTarget at(int64_t i, int64_t j) const {
    return {C + i * C_stride + j, C_stride,
            addend == nullptr ? nullptr : addend + i * addend_stride + j, addend_stride};
  }
};

template <class Real, int Rows, int Vectors>
FARSTATE_INLINE void multiply_tile(const Real* strip, const Real* panel, int64_t depth,
                                   const SumsTarget<Real> to, int64_t columns) {
  constexpr int64_t lanes = kLanes<Real>;
  Vec<Real> sums[Rows][Vectors] = {};
  if (to.addend != nullptr) {  // needed last, and far away by then
    for (int i = 0; i < Rows; ++i) __builtin_prefetch(to.addend + i * to.addend_stride);
  }
#pragma GCC unroll 4
  for (int64_t k = 0; k < depth; ++k) {
    Vec<Real> b[Vectors];
    for (int v = 0; v < Vectors; ++v) b[v] = load(panel + (k * Vectors + v) * lanes);
#pragma GCC unroll 14
    for (int i = 0; i < Rows; ++i) {
      const Vec<Real> a = broadcast(strip[k * Rows + i]);
#pragma GCC unroll 2
      for (int v = 0; v < Vectors; ++v) sums[i][v] += a * b[v];
    }
  }
#pragma GCC unroll 14
  for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 2
    for (int v = 0; v < Vectors; ++v) {
      const SumsTarget<Real> place = to.at(i, v * lanes);
      const int64_t count = smaller(lanes, columns - v * lanes);
      if (place.addend != nullptr) sums[i][v] += load_first(place.addend, count);
      store_first<Real>(place.C, sums[i][v], count);
    }
  }
}

// The whole tile is compiled apart, so that its stores ask for no count.
template <class Real, int Rows>
void multiply_strip(const Real* strip, const Real* panel, int64_t depth,
                    const SumsTarget<Real> to, int64_t columns) {
  constexpr int64_t lanes = kLanes<Real>;
  static_assert(kTileVectors == 2);
  if (columns == 2 * lanes) return multiply_tile<Real, Rows, 2>(strip, panel, depth, to, 2 * lanes);
  if (columns > lanes) return multiply_tile<Real, Rows, 2>(strip, panel, depth, to, columns);
  multiply_tile<Real, Rows, 1>(strip, panel, depth, to, columns);
}

// A block's strips times its panels.
template <class Real>
void multiply_block(const Real* strips, int64_t rows, const Real* panels, int64_t columns,
                    int64_t depth, const SumsTarget<Real> to) {
  for (int64_t j = 0; j < columns; j += kTileColumns<Real>) {
    const int64_t width = smaller(kTileColumns<Real>, columns - j);
    for (int64_t i = 0; i < rows; i += kTileRows) {
      with_rows<kTileRows>(smaller<int64_t>(kTileRows, rows - i), [&](auto height) {
        multiply_strip<Real, height>(strips + i / kTileRows * strip_pitch<Real>(depth), panels, depth,
                                     to.at(i, j), width);
      });
    }
    panels += panel_pitch<Real>(depth);
  }
}

}  // namespace farstate::kernels::FARSTATE_ISA
