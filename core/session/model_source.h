// SPDX-License-Identifier: GPL-3.0-or-later
// What the recipe's model source names.
#pragma once

#include <memory>
#include <string>

#include "core/checkpoint/model_files.h"
#include "core/session/run_config.h"

namespace farstate {

// Where the model's files lie; empty for the built-in one.
std::string folder_of(const ModelSource& source);

// The model's vocabulary, from its configuration alone.
int64_t vocabulary_of(const ModelSource& source);

// Loads or initialises the model, with the tokenizer that the source gives or the folder holds.
LoadedModel load(const ModelSource& source, uint64_t seed);

// Writes the model's tokenizer.json into the folder that the model was saved in, unless it has one.
void save_tokenizer(const LoadedModel& model, const std::string& folder);

// Sets the model's tokenizer.
void set_tokenizer(LoadedModel& model, std::shared_ptr<const Tokenizer> tokenizer);

}  // namespace farstate
