// SPDX-License-Identifier: GPL-3.0-or-later
// What can be said of a model and of a text before they are loaded.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/results/run_info.h"
#include "core/results/training_estimate.h"

namespace farstate {

struct TensorInfo {
  std::string name;
  std::vector<int64_t> shape;
  bool weight_decay = true;
};

// Read from the configuration and the tables of the weight files; no weight is touched.
struct ModelReport {
  std::string asked;    // what was asked for: an embedded model, a folder or a file
  std::string problem;  // why it can't be loaded, as a sentence; empty: it can
  ModelInfo model;
  std::string format;              // "safetensors", "pytorch_model.bin, 2 shards", …
  std::vector<std::string> files;  // that loading reads
  std::vector<std::string> notes;  // in words: contradictions that were settled, what is lost
  std::vector<TensorInfo> tensors;
  std::string recipe;           // JSON; empty: not recorded
  int64_t steps = 0;            // of its last training
  int64_t weight_bytes = 0;     // in memory, in the precision that loading would choose
  int64_t state_bytes = 0;      // of one sequence, fp32
  int64_t measure_bytes = 0;    // estimated peak of the process while measuring
  int64_t train_bytes = 0;      // the same for training
  TrainingMemory train_memory;  // its parts
  int64_t available_bytes = 0;  // memory that this machine can still give
};

struct TokenPreview {
  int64_t id = 0;
  std::string text;  // the token's bytes, those that are no UTF-8 as U+FFFD
};

// The beginning of a text as the model will read it.
struct TextPreview {
  std::string asked;    // the path; empty: the generated text
  std::string problem;  // why it can't be read, as a sentence; empty: it can
  std::string name;
  std::string tokenizer;  // "bytes", or the path of its tokenizer.json
  int64_t bytes = 0;
  int64_t tokens = 0;     // 0: only known once all of it was read
  bool estimated = false;  // tokens were extrapolated from the beginning
  std::vector<TokenPreview> first;
};

}  // namespace farstate
