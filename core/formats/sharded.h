// SPDX-License-Identifier: GPL-3.0-or-later
// Weights in one file or in several: the index that save_pretrained writes beside the shards says
// which tensor lies in which file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/formats/tensor_table.h"

namespace farstate {

struct ShardIndex {
  std::vector<std::string> files;             // names, in the index's folder
  std::map<std::string, std::string> tensor_files;  // tensor -> file name
};

// "model.safetensors.index.json" or "pytorch_model.bin.index.json". Names of files are plain: an
// index can't reach out of its folder. Throws Error(kBadInput) naming the key.
ShardIndex parse_shard_index(std::string_view text, const std::string& source);

struct WeightFile {
  TensorTable table;
  std::vector<std::string> files;  // paths that were read
  std::string format;              // "safetensors", "pytorch_model.bin, 2 shards", …
};

// A file of weights in either format, told apart by its beginning and not by its name, or an index
// with all its shards. Throws Error(kBadInput).
WeightFile read_weights(const std::string& path);

}  // namespace farstate
