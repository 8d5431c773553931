// SPDX-License-Identifier: GPL-3.0-or-later
// Effective Remembrance (Buitrago Ruiz and Gu 2025): how much the next-token distribution changes
// when the first t tokens are dropped and reading starts from the zero state,
//   EffRem_T(t) = d(q(.|x[0:T]), q(.|x[t:T])),  d(p,q) = 1/2 sum_v |p_v - q_v|  (total variation).
// 0: the dropped tokens don't matter; 1: the two predictions are disjoint; 0 at t = 0 by
// definition. Other measures of the same change come from the same forward passes.
#pragma once

#include <functional>
#include <vector>

#include "core/models/unroll.h"
#include "core/results/series.h"

namespace farstate {

// Values of t in [0,T), dense at both ends: 0, half of the others spaced logarithmically from the
// start and half from the end.
std::vector<int64_t> effrem_grid(int64_t length, int64_t points);

// Of `sequences`, how many are read at once: each has a state per grid point, and these are the
// memory that it takes.
int64_t effrem_group(int64_t state_bytes, int64_t points, int64_t sequences);

// sequences [S,T]. `progress` is called with the share done. Over the values of t:
//   "effrem"            total variation, and "effrem_q10", "effrem_q50", "effrem_q90", its
//                       quantiles over the sequences
//   "effrem_js"         the Jensen-Shannon divergence in nats, at most ln 2
//   "effrem_kl"         KL(q(.|x[0:T]) || q(.|x[t:T])) in nats
//   "effrem_agreement"  1 where both find the same token most likely, else 0
// Cost: K grid points read about K*T/2 tokens per sequence.
std::vector<Series> effective_remembrance(const RecurrentLM& model, const TokenRows& sequences,
                                          const std::vector<int64_t>& grid,
                                          const std::function<void(double)>& progress = {});

}  // namespace farstate
