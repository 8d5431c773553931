// SPDX-License-Identifier: GPL-3.0-or-later
// Which model, and how it is to be read.
#pragma once

#include <string>

namespace farstate {

struct ModelSource {
  std::string model = "demo";  // an embedded model's name, a folder or a file inside it
  std::string init;            // instead: a config.json to initialise a new model from
  std::string tokenizer;       // a tokenizer.json or its folder; empty: beside the model
  // Of the weights in memory: "float32", "bfloat16", or "auto": float32 where it fits. Training
  // is float32.
  std::string precision = "auto";
  bool operator==(const ModelSource&) const = default;
};

}  // namespace farstate
