// SPDX-License-Identifier: GPL-3.0-or-later
// What a head attends to: the semiseparable matrix that its recurrence is (Dao and Gu 2024,
// arXiv:2405.21060, section 5), over a window of the text, and which tokens of the window the
// prediction after it leans on (docs/METHODS.md).
#pragma once

#include "core/models/recurrent_lm.h"
#include "core/results/state_report.h"

namespace farstate {

// Throws Error(kBadUsage) where the model has no such head.
void check_head(const ModelSizes& sizes, HeadIndex head);

// What a head writes over a window, split by where it comes from: y = within x + before.
struct HeadWeights {
  at::Tensor within;  // M [n,n] fp64, 0 above the diagonal
  at::Tensor before;  // [n,P] fp64: what the state before the window still adds
};
// operands: of one row. h_before [P,N] may be undefined (zero).
HeadWeights head_weights(const HeadOperands& operands, const at::Tensor& h_before);

// tokens [n] int64: the window. before: the state that it is read from, one row; empty: zero. The
// report has the tokens' ids; their texts, and `first`, are for the caller to fill in.
AttentionReport hidden_attention(const RecurrentLM& model, const at::Tensor& tokens,
                                 const ModelState& before, HeadIndex focus);

}  // namespace farstate
