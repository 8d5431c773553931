// SPDX-License-Identifier: GPL-3.0-or-later
// The language model's head and its loss in one: the negative log-likelihood of one target per
// row, -log softmax(weight hidden)[target], without ever holding all logits. 128k positions of a
// vocabulary of 50k would be 26 GB; here a tile of them exists at a time, in the cache.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/ops/bf16_product.h"

namespace farstate::ops {

inline constexpr int64_t kHeadBlockLogits = int64_t{1} << 24;  // of bfloat16 products
inline constexpr int64_t kHeadSlabLogits = int64_t{1} << 19;   // of the backward pass

// hidden [R,D], weight [V,D], targets [R] int64 in [0, V) -> [R] in nats. Float or double; the
// weight of a float hidden may be bfloat16 (see linear.h), then without a graph.
// Differentiable in hidden and weight; the backward pass computes the logits again, block by
// block of rows. Throws Error(kInternal) with the row and the value of a target out of range.
// With kBFloat16 the products are those of linear(), and the weight is rounded once for all blocks.
// block_logits is for tests.
at::Tensor head_nll(const at::Tensor& hidden, const at::Tensor& weight,
                    const at::Tensor& targets, Compute compute = Compute::kFloat32,
                    int64_t block_logits = kHeadBlockLogits);

// Floats that either pass needs besides operands and results, for R rows; a rounded weight not
// counted.
int64_t head_nll_floats(int64_t R, int64_t D, int64_t V, bool rounds);

at::Tensor head_nll_naive(const at::Tensor& hidden, const at::Tensor& weight,
                             const at::Tensor& targets);

}  // namespace farstate::ops
