// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/load_tokenizer.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <filesystem>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/tokenizer/bpe_tokenizer.h"
#include "core/tokenizer/tokenizer_json.h"
#include "core/tokenizer/word_tokenizer.h"

namespace farstate {
namespace {

// Raised when the same file would give other ids than before: what was kept is then made anew.
constexpr uint64_t kEncodingVersion = 1;

}  // namespace

std::shared_ptr<const Tokenizer> load_tokenizer(const std::string& path) {
  std::error_code ignored;
  std::string file = path;
  if (std::filesystem::is_directory(path, ignored)) {
    file = (std::filesystem::path(path) / kTokenizerFile).string();
    if (!std::filesystem::exists(file, ignored)) {
      throw Error(ErrorKind::kBadInput,
                  path + " holds no tokenizer.json, the only form of tokenizer that this version reads.");
    }
  }
  return parse_tokenizer(read_file(file), file);
}

std::shared_ptr<const Tokenizer> parse_tokenizer(const std::string& content,
                                                 const std::string& name) {
  const uint64_t fingerprint =
      XXH3_64bits_withSeed(content.data(), content.size(), kEncodingVersion);
  TokenizerJson json = parse_tokenizer_json(content, name);
  if (std::holds_alternative<WordJson>(json.model)) {
    return std::make_shared<WordTokenizer>(name, fingerprint, std::move(json));
  }
  return std::make_shared<BpeTokenizer>(name, fingerprint, std::move(json));
}

}  // namespace farstate
