// SPDX-License-Identifier: GPL-3.0-or-later
// C in blocks, for one block of k after the other (Goto and van de Geijn, "Anatomy of
// High-Performance Matrix Multiplication", 2008): B's columns are packed once for all blocks of rows
// of the range; a block of A lies packed in the second-level cache while the panels of B pass through
// the first.
//
// What each step bought (float, one core with AVX2, peak 99 GFLOP/s; the innermost loop alone comes to
// 98.7). The gradient of a weight, M 256, N 512, K 2048, as a ratio to MKL in the same run
// (lowest to highest of a few runs beside other work; MKL itself is at 86 to 92 GFLOP/s):
//   1  B packed, A packed element by element                                 0.82
//   2  A packed by vectors and by whole runs of its columns                  0.78 to 0.92
//   3  blocks of 24 rows and more, not 12, where there are few               0.87 to 0.89
//   4  rounds of tasks so long that B is packed once (core/ops/matrix_view)  0.88 to 0.93
//   5  blocks of 512 columns in place of 256: A is packed half as often      0.95 to 1.07, 0.80 once
// A read in place, unpacked, was about 5 % faster at N 64 and no faster, or slower, elsewhere.
#include "kernels/gemm/block.h"

namespace farstate::kernels::FARSTATE_ISA {
namespace {

template <class Real>
struct GemmScratch {
  Real *panels, *strips;
  int64_t size;

  GemmScratch(const GemmSizes& s, const GemmTasks& tasks, Real* base) {
    const int64_t depth = smaller(kGemmDepth, s.K);
    Carver<Real> carve{base};
    panels = carve.take(panels_size<Real>(tasks.columns, depth));
    strips = carve.take(strips_size<Real>(tasks.rows, depth));
    size = carve.used;
  }
};

// Blocks of rows [first, last) of C, columns [j0, j0 + columns).
template <class Real>
void multiply_columns(const Gemm<Real>& args, const GemmTasks& tasks, int64_t j0, int64_t columns,
                      int64_t first, int64_t last, const GemmScratch<Real>& w) {
  const GemmSizes& s = args.sizes;
  SumsTarget<Real> to{args.C, args.C_stride, args.addend, args.addend_stride};
  int64_t k0 = 0;
  do {  // once for K = 0 too, where C is the addend or zero
    const int64_t depth = smaller(kGemmDepth, s.K - k0);
    if (args.narrow_B.data != nullptr) {
      if constexpr (sizeof(Real) == sizeof(float)) {
        pack_B(args.narrow_B, k0, depth, j0, columns, w.panels);
      }
    } else {
      pack_B(args.B, k0, depth, j0, columns, w.panels);
    }
    for (int64_t block = first; block < last; ++block) {
      const int64_t i0 = block * tasks.rows, rows = smaller(tasks.rows, s.M - i0);
      pack_A(args.A, i0, rows, k0, depth, w.strips);
      multiply_block<Real>(w.strips, rows, w.panels, columns, depth, to.at(i0, j0));
    }
    k0 += kGemmDepth;
    to.addend = to.C;
    to.addend_stride = to.C_stride;
  } while (k0 < s.K);
}

}  // namespace

template <class Real>
int64_t gemm_scratch(const Gemm<Real>& args, const GemmTasks& tasks) {
  return GemmScratch<Real>(args.sizes, tasks, nullptr).size;
}

template <class Real>
void gemm(const Gemm<Real>& args, const GemmTasks& tasks, int64_t begin, int64_t end,
          Real* scratch) {
  const GemmScratch<Real> w(args.sizes, tasks, scratch);
  while (begin < end) {
    const int64_t j0 = begin / tasks.row_blocks * tasks.columns, first = begin % tasks.row_blocks;
    const int64_t last = smaller(tasks.row_blocks, first + end - begin);
    multiply_columns(args, tasks, j0, smaller(tasks.columns, args.sizes.N - j0), first, last, w);
    begin += last - first;
  }
}

template int64_t gemm_scratch(const Gemm<float>&, const GemmTasks&);
template int64_t gemm_scratch(const Gemm<double>&, const GemmTasks&);
template void gemm(const Gemm<float>&, const GemmTasks&, int64_t, int64_t, float*);
template void gemm(const Gemm<double>&, const GemmTasks&, int64_t, int64_t, double*);

}  // namespace farstate::kernels::FARSTATE_ISA
