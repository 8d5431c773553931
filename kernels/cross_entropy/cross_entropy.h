// SPDX-License-Identifier: GPL-3.0-or-later
// The language model's head and its loss: nll[r] = log sum_v exp(l[r,v]) - l[r, target[r]] with logits
// l[r,v] = <hidden[r], weight[v]>. The logits are products of kernels/gemm, taken a block at a time
// while it lies in the cache; neither direction has them all in memory.
#pragma once

#include <cstdint>

#include "kernels/gemm/gemm.h"

namespace farstate::kernels {

struct NllSizes {
  int64_t R, D, V;
};

template <class Real>
struct NllInputs {
  NllSizes sizes{};
  MatrixView<Real> hidden;         // [R,D]
  MatrixView<Real> weight;         // [V,D]
  MatrixView<Bf16> narrow_weight;  // in place of weight where its data is not null
  const int64_t* targets = nullptr;  // [R] in [0,V)
};

// Tasks of both directions are blocks of the logits of some columns of the vocabulary.
GemmTasks nll_tasks(const NllSizes& sizes);

template <class Real>
struct NllForward {
  NllInputs<Real> in;
  // Of each block of columns and row: the largest logit, and the sum of exp(logit - largest).
  Real* block_max = nullptr;     // [column blocks,R]
  Real* block_sum = nullptr;     // [column blocks,R]
  Real* target_logit = nullptr;  // [R]
};

// Leaves what nll_combine() makes the losses of. Tasks: nll_tasks(sizes).
template <class Real>
void nll_forward(const NllForward<Real>& args, int64_t begin, int64_t end, Isa isa = best_isa());

// log_sum_exp [R] and nll [R], after all tasks.
template <class Real>
void nll_combine(const NllForward<Real>& args, Real* log_sum_exp, Real* nll);

template <class Real>
struct LogitGradients {
  NllInputs<Real> in;
  int64_t first = 0, columns = 0;     // of the vocabulary
  const Real* log_sum_exp = nullptr;  // [R]
  const Real* grad_nll = nullptr;     // [R]
  Real* out = nullptr;                // [R,columns]
  int64_t out_stride = 0;
};

// (exp(l - log_sum_exp) - [target]) grad_nll for some columns of the logits, which are computed anew.
// Tasks: nll_tasks({R, D, columns}).
template <class Real>
void logit_gradients(const LogitGradients<Real>& args, int64_t begin, int64_t end,
                     Isa isa = best_isa());

}  // namespace farstate::kernels
