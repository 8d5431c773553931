// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/find_tokenizer.h"

#include <filesystem>

#include "core/tokenizer/load_tokenizer.h"
#include "core/tokenizer/byte_tokenizer.h"

namespace farstate {

std::shared_ptr<const Tokenizer> find_tokenizer(const std::string& model_folder,
                                                const std::string& given, int64_t vocabulary) {
  if (!given.empty()) return load_tokenizer(given);
  const std::filesystem::path beside = std::filesystem::path(model_folder) / kTokenizerFile;
  std::error_code ignored;
  if (!model_folder.empty() && std::filesystem::exists(beside, ignored)) {
    return load_tokenizer(beside.string());
  }
  return vocabulary == kByteVocabulary ? byte_tokenizer() : nullptr;
}

}  // namespace farstate
