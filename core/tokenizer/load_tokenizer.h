// SPDX-License-Identifier: GPL-3.0-or-later
// A tokenizer.json as the tokenizer that it describes: byte-level BPE or whole words.
#pragma once

#include <memory>
#include <string>

#include "core/tokenizer/tokenizer.h"

namespace farstate {

inline constexpr const char* kTokenizerFile = "tokenizer.json";
// Beside it: which class of transformers reads it.
inline constexpr const char* kTokenizerConfigFile = "tokenizer_config.json";

// `path`: the file, or the folder that holds it. Throws Error(kBadInput) with a sentence for a file
// that is malformed, and for one that asks for what this version does not do.
std::shared_ptr<const Tokenizer> load_tokenizer(const std::string& path);
// The same of a file's content; `name` is its path.
std::shared_ptr<const Tokenizer> parse_tokenizer(const std::string& content, const std::string& name);

}  // namespace farstate
