// SPDX-License-Identifier: GPL-3.0-or-later
// A checkpoint into another form, tensor by tensor: the model is never in memory.
#pragma once

#include <string>
#include <vector>

#include "core/base/progress.h"

namespace farstate {

struct ConvertConfig {
  std::string model = "demo";
  std::string out;              // a folder that is not there, or empty
  std::string format = "hf";    // "hf": safetensors as transformers loads them; "state-spaces"
  std::string dtype = "keep";   // of every tensor, or "float32", "float16", "bfloat16"
};

struct Converted {
  std::vector<std::string> files;  // names, within `out`
  std::vector<std::string> notes;  // in words: what was contradictory, what is lost
  int64_t bytes = 0;
};

// Written in a folder beside and renamed once it is whole. Values are equal to the bit where the
// dtype is kept or holds them. Throws Error(kBadInput) and leaves nothing behind.
Converted convert_checkpoint(const ConvertConfig& config, const ProgressSink& progress);

}  // namespace farstate
