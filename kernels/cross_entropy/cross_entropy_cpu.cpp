// SPDX-License-Identifier: GPL-3.0-or-later
// A range of tasks packs the weight's rows of one column block once, all of D, and lets the blocks
// of rows pass by: their logits are summed over D into a tile in scratch and used up there. The sums
// of exponentials of a row's blocks are joined as in the online softmax (Milakov and Gimelshein, 2018),
// but in a fixed order.
//
// What it bought (float, one core with AVX2) against a product, a reduction and a gather over blocks
// of rows with all their logits: forward 1.5 to 1.9 times the speed, the backward pass of the whole
// head (core/ops/cross_entropy) 1.0 to 1.3 times; most at V 50288.
#include "kernels/cross_entropy/cross_entropy.h"
#include "kernels/gemm/block.h"
#include "kernels/simd/math.h"

namespace farstate::kernels::FARSTATE_ISA {
namespace {

template <class Real>
struct NllScratch {
  Real *panels, *strips, *logits;
  int64_t panels_stride;  // from one block of D to the next
  int64_t logits_stride;
  int64_t size;

  NllScratch(const NllSizes& s, const GemmTasks& tasks, Real* base)
      : logits_stride(odd_lines<Real>(tasks.columns)) {
    Carver<Real> carve{base};
    const int64_t depth = smaller(kGemmDepth, s.D);
    panels_stride = panels_size<Real>(tasks.columns, depth);
    panels = carve.take((s.D + kGemmDepth - 1) / kGemmDepth * panels_stride);
    strips = carve.take(strips_size<Real>(tasks.rows, depth));
    logits = carve.take(tasks.rows * logits_stride);
    size = carve.used;
  }
};

// What one task computes of the logits: rows from i0 on, and of the vocabulary columns from v0 on.
struct LogitBlock {
  int64_t index;  // of the block of columns
  int64_t i0, rows, v0, columns;
};

// weight [V,D] is B [D,V] transposed.
template <class Number>
FARSTATE_INLINE MatrixView<Number> transposed(const MatrixView<Number>& view) {
  return {view.data, view.column_stride, view.row_stride};
}

template <class Real>
void pack_weight(const NllInputs<Real>& in, int64_t v0, int64_t columns,
                 const NllScratch<Real>& w) {
  const int64_t D = in.sizes.D;
  for (int64_t k0 = 0; k0 < D; k0 += kGemmDepth) {
    const int64_t depth = smaller(kGemmDepth, D - k0);
    Real* const to = w.panels + k0 / kGemmDepth * w.panels_stride;
    if (in.narrow_weight.data == nullptr) {
      pack_B(transposed(in.weight), k0, depth, v0, columns, to);
    } else if constexpr (sizeof(Real) == sizeof(float)) {
      pack_B(transposed(in.narrow_weight), k0, depth, v0, columns, to);
    }
  }
}

template <class Real>
void compute_logits(const NllInputs<Real>& in, const LogitBlock& block, const NllScratch<Real>& w,
                    Real* to, int64_t stride) {
  const int64_t D = in.sizes.D;
  SumsTarget<Real> target{to, stride, nullptr, 0};
  for (int64_t k0 = 0; k0 < D; k0 += kGemmDepth) {
    const int64_t depth = smaller(kGemmDepth, D - k0);
    pack_A(in.hidden, block.i0, block.rows, k0, depth, w.strips);
    const Real* const panels = w.panels + k0 / kGemmDepth * w.panels_stride;
    multiply_block<Real>(w.strips, block.rows, panels, block.columns, depth, target);
    target.addend = to;
    target.addend_stride = stride;
  }
}

// Calls body(block) for tasks [begin, end) of the columns [first, first + count), with the weight's
// panels of the block in place.
template <class Real, class Body>
FARSTATE_INLINE void for_each_block(const NllInputs<Real>& in, const GemmTasks& tasks,
                                    int64_t first, int64_t count, int64_t begin, int64_t end,
                                    const NllScratch<Real>& w, const Body& body) {
  int64_t packed = -1;
  for (int64_t task = begin; task < end; ++task) {
    LogitBlock block;
    block.index = task / tasks.row_blocks;
    block.i0 = task % tasks.row_blocks * tasks.rows;
    block.rows = smaller(tasks.rows, in.sizes.R - block.i0);
    block.v0 = first + block.index * tasks.columns;
    block.columns = smaller(tasks.columns, first + count - block.v0);
    if (packed != block.index) pack_weight(in, block.v0, block.columns, w);
    packed = block.index;
    body(block);
  }
}

template <class Real>
FARSTATE_INLINE Vec<Real> larger(Vec<Real> a, Vec<Real> b) {
  return b > a ? b : a;
}

template <class Real>
FARSTATE_INLINE Real largest_lane(Vec<Real> v) {
  Real largest = v[0];
  for (int i = 1; i < kLanes<Real>; ++i) largest = v[i] > largest ? v[i] : largest;
  return largest;
}

template <class Real>
struct LargestAndSum {
  Real largest, sum;
};

// Of one row of logits; the row is filled up to whole vectors with what adds nothing.
template <class Real>
FARSTATE_INLINE LargestAndSum<Real> sum_of_exponentials(Real* logits, int64_t columns) {
  constexpr int64_t lanes = kLanes<Real>;
  constexpr Real kNothing = -__builtin_inf();
  const int64_t width = round_up(columns, lanes);
  for (int64_t j = columns; j < width; ++j) logits[j] = kNothing;
  Vec<Real> largest = load(logits);
  for (int64_t j = lanes; j < width; j += lanes) largest = larger<Real>(largest, load(logits + j));
  const Real top = largest_lane<Real>(largest);
  Vec<Real> sum{};
  for (int64_t j = 0; j < width; j += lanes) sum += exp<Real>(load(logits + j) - top);
  return {top, sum_lanes<Real>(sum)};
}

}  // namespace

template <class Real>
int64_t nll_scratch(const NllSizes& sizes, const GemmTasks& tasks) {
  return NllScratch<Real>(sizes, tasks, nullptr).size;
}

template <class Real>
void nll_forward(const NllForward<Real>& args, const GemmTasks& tasks, int64_t begin, int64_t end,
                 Real* scratch) {
  const NllSizes& s = args.in.sizes;
  const NllScratch<Real> w(s, tasks, scratch);
  for_each_block(args.in, tasks, 0, s.V, begin, end, w, [&](const LogitBlock& block) {
    compute_logits(args.in, block, w, w.logits, w.logits_stride);
    for (int64_t i = 0; i < block.rows; ++i) {
      const int64_t row = block.i0 + i, target = args.in.targets[row] - block.v0;
      Real* const logits = w.logits + i * w.logits_stride;
      if (0 <= target && target < block.columns) args.target_logit[row] = logits[target];
      const LargestAndSum<Real> found = sum_of_exponentials(logits, block.columns);
      args.block_max[block.index * s.R + row] = found.largest;
      args.block_sum[block.index * s.R + row] = found.sum;
    }
  });
}

template <class Real>
void logit_gradients(const LogitGradients<Real>& args, const GemmTasks& tasks, int64_t begin,
                     int64_t end, Real* scratch) {
  const NllScratch<Real> w(args.in.sizes, tasks, scratch);
  for_each_block(args.in, tasks, args.first, args.columns, begin, end, w,
                 [&](const LogitBlock& block) {
    compute_logits(args.in, block, w, w.logits, w.logits_stride);
    for (int64_t i = 0; i < block.rows; ++i) {
      const int64_t row = block.i0 + i, target = args.in.targets[row] - block.v0;
      const Real* const logits = w.logits + i * w.logits_stride;
      const Real log_sum_exp = args.log_sum_exp[row], grad = args.grad_nll[row];
      Real* const out = args.out + row * args.out_stride + block.v0 - args.first;
      for_each_vector<Real>(block.columns, [&](int64_t j, int64_t lanes) {
        const Vec<Real> logit = load_first(logits + j, lanes);
        store_first<Real>(out + j, exp<Real>(logit - log_sum_exp) * grad, lanes);
      });
      if (0 <= target && target < block.columns) out[target] -= grad;
    }
  });
}

template int64_t nll_scratch<float>(const NllSizes&, const GemmTasks&);
template int64_t nll_scratch<double>(const NllSizes&, const GemmTasks&);
template void nll_forward(const NllForward<float>&, const GemmTasks&, int64_t, int64_t, float*);
template void nll_forward(const NllForward<double>&, const GemmTasks&, int64_t, int64_t, double*);
template void logit_gradients(const LogitGradients<float>&, const GemmTasks&, int64_t, int64_t,
                              float*);
template void logit_gradients(const LogitGradients<double>&, const GemmTasks&, int64_t, int64_t,
                              double*);

}  // namespace farstate::kernels::FARSTATE_ISA
