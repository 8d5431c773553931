// SPDX-License-Identifier: GPL-3.0-or-later
// What a front end shows of a model and of a text.
#pragma once

#include <cstdint>
#include <string>

namespace farstate {

struct ModelInfo {
  std::string name;          // of an embedded model, or the folder's
  std::string source;        // where it came from: a path, or "embedded"
  std::string architecture;  // "Mamba-2"
  std::string dtype;         // of the file: "float32", …
  std::string precision;     // of the weights in memory: "float32" or "bfloat16"
  std::string tokenizer;     // "bytes", the path of a tokenizer.json; empty: none was found
  int64_t parameters = 0;
  int64_t layers = 0, heads = 0, head_dim = 0, state_dim = 0, groups = 0, model_dim = 0;
  int64_t vocabulary = 0;
  int64_t trained_context = 0;  // T of the checkpoint's own training; 0: not recorded
  std::string trained_with;     // the intervention of its last training; empty: not recorded
  std::string text;             // the generated text that it was trained on; empty: not recorded
};

struct DataInfo {
  std::string name;  // file name, or "generated text"
  int64_t train_tokens = 0;
  int64_t held_out_tokens = 0;
};

}  // namespace farstate
