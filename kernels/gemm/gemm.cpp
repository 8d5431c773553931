// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gemm/gemm.h"

#include "kernels/simd/check.h"
#include "kernels/simd/scratch.h"

namespace farstate::kernels {

FARSTATE_DECLARE_ISAS(
    template <class Real> int64_t gemm_scratch(const Gemm<Real>& args, const GemmTasks& tasks);
    template <class Real> void gemm(const Gemm<Real>& args, const GemmTasks& tasks, int64_t begin,
                                    int64_t end, Real* scratch);)

namespace {

int64_t blocks_of(int64_t count, int64_t width) { return (count + width - 1) / width; }

template <class Number>
void check_view(const MatrixView<Number>& view, int64_t rows, int64_t columns) {
  require(view.data != nullptr, "gemm: wanted A and B; one is null");
  require((view.column_stride == 1 || view.row_stride == 1 || rows <= 1 || columns <= 1),
          "gemm: wanted a matrix whose row_stride or column_stride is 1",
          {{"row_stride", view.row_stride}, {"column_stride", view.column_stride}});
}

template <class Real>
int64_t scratch_size(const Gemm<Real>& args, const GemmTasks& tasks, Isa isa) {
  FARSTATE_CALL_ISA(isa, gemm_scratch<Real>, args, tasks);
}

}  // namespace

// Heights are whole micro-tiles of 6 and of 14 rows, widths whole pairs of vectors. A block is as
// large as the caches allow, and smaller where there would be too few of them to share out.
GemmTasks gemm_tasks(const GemmSizes& sizes, int64_t widest) {
  constexpr int64_t kWidthUnit = 32, kEnoughTasks = 12;
  constexpr int64_t kHeights[] = {84, 42, 24, 12};
  GemmTasks tasks{};
  tasks.column_blocks = blocks_of(sizes.N, widest);
  if (tasks.column_blocks == 0 || sizes.M == 0) return tasks;
  tasks.columns = blocks_of(blocks_of(sizes.N, tasks.column_blocks), kWidthUnit) * kWidthUnit;
  tasks.column_blocks = blocks_of(sizes.N, tasks.columns);
  for (const int64_t rows : kHeights) {
    tasks.rows = rows;
    tasks.row_blocks = blocks_of(sizes.M, rows);
    tasks.count = tasks.row_blocks * tasks.column_blocks;
    if (tasks.count >= kEnoughTasks) break;
  }
  return tasks;
}

template <class Real>
void gemm(const Gemm<Real>& args, int64_t begin, int64_t end, Isa isa) {
  const GemmSizes& s = args.sizes;
  require(s.M >= 0 && s.N >= 0 && s.K >= 0, "gemm: wanted M, N and K >= 0",
          {{"M", s.M}, {"N", s.N}, {"K", s.K}});
  const GemmTasks tasks = gemm_tasks(s);
  require(0 <= begin && begin <= end && end <= tasks.count,
          "gemm: wanted 0 <= begin <= end <= tasks",
          {{"begin", begin}, {"end", end}, {"tasks", tasks.count}});
  if (begin == end) return;
  require(args.C != nullptr, "gemm: wanted C; it is null");
  if (s.K > 0) {
    check_view(args.A, s.M, s.K);
    args.narrow_B.data == nullptr ? check_view(args.B, s.K, s.N)
                                  : check_view(args.narrow_B, s.K, s.N);
  }
  const Scratch<Real> scratch = make_scratch<Real>(scratch_size(args, tasks, isa));
  FARSTATE_CALL_ISA(isa, gemm, args, tasks, begin, end, scratch.get());
}

template void gemm(const Gemm<float>&, int64_t, int64_t, Isa);
template void gemm(const Gemm<double>&, int64_t, int64_t, Isa);

}  // namespace farstate::kernels
