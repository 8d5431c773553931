// SPDX-License-Identifier: GPL-3.0-or-later
// A checkpoint that was opened: its configuration read and the tables of its weight files checked
// against it. No weight was touched yet, so looking at a model of any size takes a moment.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/checkpoint/provenance.h"
#include "core/formats/sharded.h"
#include "core/models/model_config.h"
#include "core/models/tensor_spec.h"

namespace farstate {

inline constexpr const char* kEmbeddedSource = "embedded";  // where its files lie
inline constexpr const char* kConfigFile = "config.json";
inline constexpr const char* kWeightsFile = "model.safetensors";
inline constexpr const char* kProvenanceFile = "farstate.json";

struct Checkpoint {
  std::string name;    // of an embedded model, or the folder's
  std::string source;  // the folder, or "embedded"
  Mamba2Config config;
  std::string config_text;
  std::string config_source;  // its path
  ConfigSpelling spelling = ConfigSpelling::kHuggingFace;
  WeightFile weights;
  // Of every weight of the model, in the order of mamba2_tensor_specs(config), its entry in
  // weights.table.
  std::vector<TensorSpec> specs;
  std::vector<const StoredTensor*> stored;
  Provenance provenance;
  std::vector<std::string> notes;  // contradictions and how they were settled

  DType dtype() const { return stored.front()->dtype; }  // of the embedding
};

// `model` is the name of an embedded model, a folder, or a file inside a folder. Throws Error(kBadInput) naming the file,
// the key or the tensor, what was found and what was wanted.
Checkpoint open_checkpoint(const std::string& model);

// The model's vocabulary, from its configuration alone.
int64_t checkpoint_vocabulary(const std::string& model);

// Where the files of a model lie: the folder itself, or the one that a file of it is in.
std::string checkpoint_folder(const std::string& model);

}  // namespace farstate
