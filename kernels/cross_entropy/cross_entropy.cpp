// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cross_entropy/cross_entropy.h"

#include <algorithm>
#include <cmath>

#include "kernels/simd/check.h"
#include "kernels/simd/scratch.h"

namespace farstate::kernels {

FARSTATE_DECLARE_ISAS(
    template <class Real> int64_t nll_scratch(const NllSizes& sizes, const GemmTasks& tasks);
    template <class Real> void nll_forward(const NllForward<Real>& args, const GemmTasks& tasks,
                                           int64_t begin, int64_t end, Real* scratch);
    template <class Real> void logit_gradients(const LogitGradients<Real>& args,
                                               const GemmTasks& tasks, int64_t begin, int64_t end,
                                               Real* scratch);)

namespace {

template <class Real>
void check_inputs(const NllInputs<Real>& in, const GemmTasks& tasks, int64_t begin, int64_t end) {
  const NllSizes& s = in.sizes;
  require(s.R >= 0 && s.D >= 1 && s.V >= 1, "cross_entropy: wanted R >= 0, D and V >= 1",
          {{"R", s.R}, {"D", s.D}, {"V", s.V}});
  require(0 <= begin && begin <= end && end <= tasks.count,
          "cross_entropy: wanted 0 <= begin <= end <= tasks",
          {{"begin", begin}, {"end", end}, {"tasks", tasks.count}});
  require(in.hidden.data && (in.weight.data || in.narrow_weight.data) && in.targets,
          "cross_entropy: wanted hidden, weight and targets; one is null");
}

template <class Real>
int64_t scratch_size(const NllSizes& sizes, const GemmTasks& tasks, Isa isa) {
  FARSTATE_CALL_ISA(isa, nll_scratch<Real>, sizes, tasks);
}

}  // namespace

// A block's logits share the second-level cache with their operands.
GemmTasks nll_tasks(const NllSizes& sizes) {
  constexpr int64_t kWidest = 256;
  return gemm_tasks({sizes.R, sizes.V, sizes.D}, kWidest);
}

template <class Real>
void nll_forward(const NllForward<Real>& args, int64_t begin, int64_t end, Isa isa) {
  const NllSizes& s = args.in.sizes;
  const GemmTasks tasks = nll_tasks(s);
  check_inputs(args.in, tasks, begin, end);
  require(args.block_max && args.block_sum && args.target_logit,
          "cross_entropy: wanted block_max, block_sum and target_logit; one is null");
  const Scratch<Real> scratch = make_scratch<Real>(scratch_size<Real>(s, tasks, isa));
  FARSTATE_CALL_ISA(isa, nll_forward, args, tasks, begin, end, scratch.get());
}

// The blocks' sums are brought to one largest logit and added in the blocks' order.
template <class Real>
void nll_combine(const NllForward<Real>& args, Real* log_sum_exp, Real* nll) {
  const NllSizes& s = args.in.sizes;
  const int64_t blocks = nll_tasks(s).column_blocks;
  for (int64_t r = 0; r < s.R; ++r) {
    Real largest = args.block_max[r];
    for (int64_t b = 1; b < blocks; ++b) {
      largest = std::max(largest, args.block_max[b * s.R + r]);
    }
    Real sum = 0;
    for (int64_t b = 0; b < blocks; ++b) {
      sum += args.block_sum[b * s.R + r] * std::exp(args.block_max[b * s.R + r] - largest);
    }
    log_sum_exp[r] = largest + std::log(sum);
    nll[r] = log_sum_exp[r] - args.target_logit[r];
  }
}

template <class Real>
void logit_gradients(const LogitGradients<Real>& args, int64_t begin, int64_t end, Isa isa) {
  const NllSizes& s = args.in.sizes;
  require(0 <= args.first && 0 <= args.columns && args.first + args.columns <= s.V,
          "cross_entropy: wanted columns of the vocabulary",
          {{"first", args.first}, {"columns", args.columns}, {"V", s.V}});
  const GemmTasks tasks = nll_tasks({s.R, s.D, args.columns});
  check_inputs(args.in, tasks, begin, end);
  require(args.log_sum_exp && args.grad_nll && args.out,
          "cross_entropy: wanted log_sum_exp, grad_nll and out; one is null");
  const Scratch<Real> scratch = make_scratch<Real>(scratch_size<Real>(s, tasks, isa));
  FARSTATE_CALL_ISA(isa, logit_gradients, args, tasks, begin, end, scratch.get());
}

template void nll_forward(const NllForward<float>&, int64_t, int64_t, Isa);
template void nll_forward(const NllForward<double>&, int64_t, int64_t, Isa);
template void nll_combine(const NllForward<float>&, float*, float*);
template void nll_combine(const NllForward<double>&, double*, double*);
template void logit_gradients(const LogitGradients<float>&, int64_t, int64_t, Isa);
template void logit_gradients(const LogitGradients<double>&, int64_t, int64_t, Isa);

}  // namespace farstate::kernels
