// SPDX-License-Identifier: GPL-3.0-or-later
// Matrix product: C = addend + A B for A [M,K], B [K,N], C [M,N]. What is added may be a bias (one
// row for all), a residual, or C itself, so that none of them costs a pass of its own.
//
// An element of C is the sum over k in ascending order, in blocks of kGemmDepth: within a block a
// chain of multiply-adds that starts at zero, and the blocks are added to the addend one after the
// other. Nothing else enters, so a row of C has the same bits however many rows the call has, and
// whichever range of tasks or number of threads computes it.
#pragma once

#include <cstdint>

#include "kernels/simd/isa.h"

namespace farstate::kernels {

inline constexpr int64_t kGemmDepth = 256;

// Element (i,j) is data[i * row_stride + j * column_stride]; one of the strides is 1.
template <class Number>
struct MatrixView {
  const Number* data = nullptr;
  int64_t row_stride = 0;
  int64_t column_stride = 1;
};

// The upper half of a float's bits.
struct Bf16 {
  uint16_t bits;
};

struct GemmSizes {
  int64_t M, N, K;  // each may be 0
};

// Tasks are blocks of C, numbered down its columns first: a range of them reads few of B's columns,
// which are brought into the order of the multiplication once per range. A block is at most `widest`
// columns wide.
struct GemmTasks {
  int64_t rows, columns;  // of a block
  int64_t row_blocks, column_blocks;
  int64_t count;
};
GemmTasks gemm_tasks(const GemmSizes& sizes, int64_t widest = 512);

template <class Real>
struct Gemm {
  GemmSizes sizes{};
  MatrixView<Real> A;            // [M,K]
  MatrixView<Real> B;            // [K,N]
  MatrixView<Bf16> narrow_B;     // in place of B where its data is not null
  const Real* addend = nullptr;  // [M,N] or null; may be C
  int64_t addend_stride = 0;     // between rows; 0 adds the same row to all
  Real* C = nullptr;             // [M,N]
  int64_t C_stride = 0;
};

// Computes tasks [begin, end) of gemm_tasks(sizes).count. Allocates its scratch once.
template <class Real>
void gemm(const Gemm<Real>& args, int64_t begin, int64_t end, Isa isa = best_isa());

}  // namespace farstate::kernels
