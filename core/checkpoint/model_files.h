// SPDX-License-Identifier: GPL-3.0-or-later
// Models in and out of memory: any checkpoint that open_checkpoint() reads, and a folder that
// transformers loads, with farstate.json beside it for what only Farstate knows.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/model_source.h"
#include "core/models/recurrent_lm.h"
#include "core/results/run_info.h"
#include "core/tokenizer/tokenizer.h"

namespace farstate {

struct LoadedModel {
  std::unique_ptr<RecurrentLM> model;
  ModelInfo info;
  std::shared_ptr<const Tokenizer> tokenizer;  // null: none was found
  Provenance provenance;
  std::vector<std::string> notes;  // in words: what was contradictory, what is lost
  std::string config_text;         // its config.json, if in Hugging Face's spelling
};

// Reads the weights once, into the precision of `source`: there is never a second copy of them. Or
// makes the new model that `source` asks for, initialised from the seed. With the tokenizer that
// the source names or the folder holds. A stop throws. Throws Error(kBadInput) as open_checkpoint()
// does, and Error(kOutOfMemory) where the weights alone take more than there is.
LoadedModel load_model(const ModelSource& source, uint64_t seed, const ProgressSink& progress = {});
LoadedModel load_model(const std::string& model);  // in float32

// What the source names, else what lies beside the model, else bytes for a vocabulary of 256; null:
// none. Throws Error(kBadInput) for one that can't be read.
std::shared_ptr<const Tokenizer> tokenizer_of(const ModelSource& source, int64_t vocabulary);
void set_tokenizer(LoadedModel& loaded, std::shared_ptr<const Tokenizer> tokenizer);

// From the configuration alone.
int64_t vocabulary_of(const ModelSource& source);
// The generated text that the model was trained on, by name; empty: not recorded, or another.
std::string text_of(const ModelSource& source);

// The model of a folder's config.json with weights that are still to be filled in.
LoadedModel allocate_model(const std::string& folder);

// config.json alone; makes the folder.
void save_config(const std::string& folder, const LoadedModel& loaded);

// Weights in float32, configuration, and the tokenizer's files copied from where they were. Each
// file is written beside and renamed.
void save_model(const std::string& folder, const LoadedModel& loaded, const Provenance& provenance);

// The files that save_model() may leave in a folder.
std::vector<std::string> model_file_names();

// What is known of a checkpoint without its weights; `precision` as weights_precision() says.
ModelInfo describe(const Checkpoint& checkpoint, const std::string& precision);

// "float32" or "bfloat16": `asked`, or for "auto" float32 where the weights of these specs leave
// half of the memory that the machine can still give, else bfloat16.
std::string weights_precision(const std::string& asked, const std::vector<TensorSpec>& specs);
int64_t weights_bytes(const std::string& precision, const std::vector<TensorSpec>& specs);

// The files beside a checkpoint that are a tokenizer's, for whoever loads it next.
void copy_tokenizer_files(const std::string& from_folder, const std::string& to_folder);
void copy_embedded_tokenizer(const std::string& model, const std::string& to_folder);

}  // namespace farstate
