// SPDX-License-Identifier: GPL-3.0-or-later
// The table of a model's weights, without the weights: what a loader checks, what an exporter
// writes and what a look at a checkpoint shows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/models/model_config.h"

namespace farstate {

struct TensorSpec {
  std::string name;                   // in Hugging Face's checkpoints, and in ours
  std::vector<std::string> synonyms;  // in other checkpoints
  std::vector<int64_t> shape;
  bool weight_decay = true;  // false: A_log, dt_bias, D, norms and biases
  bool matrix = false;       // of a projection or the embedding: may be bfloat16 in memory
};

inline constexpr const char* kHeadName = "lm_head.weight";  // there where the head is not tied

std::vector<TensorSpec> mamba2_tensor_specs(const Mamba2Config& config);

}  // namespace farstate
