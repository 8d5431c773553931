// SPDX-License-Identifier: GPL-3.0-or-later
// Byte-level BPE, as GPT-2, GPT-NeoX and their successors use it, from a tokenizer.json. Its ids are
// those of the tokenizers package. In order: added tokens are found in the text, what lies between
// them is composed (normal form C), further added tokens are found in that, the rest is cut into
// words, and each word's bytes are merged.
#pragma once

#include <memory>
#include <string>

#include "core/tokenizer/tokenizer.h"

namespace farstate {

inline constexpr const char* kTokenizerFile = "tokenizer.json";

// `path`: the file, or the folder that holds it. Throws Error(kBadInput) with a sentence for a file
// that is malformed, and for one that asks for what this version does not do.
std::shared_ptr<const Tokenizer> load_tokenizer(const std::string& path);
// The same of a file's content; `name` is its path.
std::shared_ptr<const Tokenizer> parse_tokenizer(const std::string& content, const std::string& name);

}  // namespace farstate
