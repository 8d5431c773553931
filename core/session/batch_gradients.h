// SPDX-License-Identifier: GPL-3.0-or-later
// The work of a training step before its update: forward and backward passes over a batch.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "core/models/recurrent_lm.h"
#include "core/session/run_config.h"

namespace farstate {

struct BatchPass {
  double loss = 0;         // mean over the batch's counted targets, nats
  ModelState final_state;  // after the last position; empty where the loss is not finite
  std::vector<at::Tensor> stats;  // [L][B,K,H,4] as ForwardResult::stats, likewise
};

// Rows of a batch that are computed at once.
int64_t rows_at_once(const TrainConfig& config);

// Windows to train on.
struct Batch {
  at::Tensor tokens;   // [B,T+1]
  at::Tensor counted;  // [B,T] bool: the targets whose loss counts; undefined: all
};

// Adds the gradients of the mean loss of the batch's counted targets, read from `initial`, to those
// of the weights, unless the loss is not finite. By groups of rows. The states' statistics are taken
// after ascending positions in [0,T). Throws Error(kBadInput) where no target counts.
BatchPass add_gradients(const RecurrentLM& model, const Batch& batch, const ModelState& initial,
                        const TrainConfig& config,
                        const std::vector<int64_t>& stat_positions = {});

// Reads the T inputs of tokens [b,T+1] at once from the zero state, without a loss.
BatchPass read_only(const RecurrentLM& model, const at::Tensor& tokens, const TrainConfig& config,
                    const std::vector<int64_t>& stat_positions);

void drop_gradients(const RecurrentLM& model);

// What a person must know who asks for bfloat16 products where they are slower than float32's.
inline constexpr const char* kNoBf16 =
    "this machine has no bf16 instructions; float32 is faster here";

}  // namespace farstate
