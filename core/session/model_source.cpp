// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/model_source.h"

#include <filesystem>

#include "core/base/file.h"
#include "core/models/model_config.h"
#include "core/tokenizer/bpe_tokenizer.h"
#include "core/tokenizer/byte_tokenizer.h"
#include "core/tokenizer/find_tokenizer.h"

namespace farstate {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDemo = "demo";

}  // namespace

std::string folder_of(const ModelSource& source) {
  if (source.init.empty() && source.model == kDemo) return "";
  const fs::path path = source.init.empty() ? source.model : source.init;
  std::error_code ignored;
  const fs::path folder = fs::is_directory(path, ignored) ? path : path.parent_path();
  return folder.empty() ? "." : folder.string();
}

int64_t vocabulary_of(const ModelSource& source) {
  if (source.init.empty() && source.model == kDemo) return kByteVocabulary;
  const std::string config =
      source.init.empty() ? (fs::path(folder_of(source)) / "config.json").string() : source.init;
  return mamba2_config_from_json(read_file(config), config).vocabulary;
}

void set_tokenizer(LoadedModel& model, std::shared_ptr<const Tokenizer> tokenizer) {
  model.tokenizer = std::move(tokenizer);
  model.info.tokenizer = model.tokenizer == nullptr ? "" : model.tokenizer->name();
}

void save_tokenizer(const LoadedModel& model, const std::string& folder) {
  if (model.tokenizer == nullptr || model.tokenizer == byte_tokenizer()) return;
  std::error_code ignored;
  const std::string copy = (fs::path(folder) / kTokenizerFile).string();
  if (!fs::exists(copy, ignored)) write_file_atomic(copy, read_file(model.tokenizer->name()));
}

LoadedModel load(const ModelSource& source, uint64_t seed) {
  LoadedModel model =
      source.init.empty() ? load_model(source.model) : initialise_model(source.init, seed);
  set_tokenizer(model, find_tokenizer(folder_of(source), source.tokenizer, model.info.vocabulary));
  return model;
}

}  // namespace farstate
