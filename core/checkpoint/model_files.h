// SPDX-License-Identifier: GPL-3.0-or-later
// Models in and out: a folder with config.json and model.safetensors as transformers writes and
// reads it, and farstate.json beside them for what only Farstate knows.
#pragma once

#include <memory>
#include <string>

#include "core/models/recurrent_lm.h"
#include "core/results/run_info.h"
#include "core/tokenizer/tokenizer.h"

namespace farstate {

// What farstate.json keeps. All of it may be absent in a model from elsewhere.
struct Provenance {
  int64_t trained_context = 0;  // T; 0: not recorded
  std::string trained_with;     // "zero", "state-passing", …
  int64_t steps = 0;            // optimizer steps of the training that wrote the folder
  std::string recipe;           // JSON of its RunConfig; empty: none
};

struct LoadedModel {
  std::unique_ptr<RecurrentLM> model;  // weights in fp32
  ModelInfo info;
  std::shared_ptr<const Tokenizer> tokenizer;  // null: none was found
  Provenance provenance;
};

// `model` is "demo", a folder, or a file inside a folder. Throws Error(kBadInput) naming the
// file, the key or the tensor, what was found and what was wanted.
LoadedModel load_model(const std::string& model);

// A new model of a config.json (Hugging Face's spelling), initialised from the seed.
LoadedModel initialise_model(const std::string& config_path, uint64_t seed);

// The model of a folder's config.json with weights that are still to be filled in.
LoadedModel allocate_model(const std::string& folder);

// config.json alone; makes the folder.
void save_config(const std::string& folder, const RecurrentLM& model);

// Each file is written beside and renamed.
void save_model(const std::string& folder, const RecurrentLM& model,
                const Provenance& provenance);

}  // namespace farstate
