// SPDX-License-Identifier: GPL-3.0-or-later
// tokenizer.json, as the tokenizers package writes it: what of it Farstate's tokenizers need.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "core/tokenizer/added_tokens.h"
#include "core/tokenizer/byte_pair_merges.h"

namespace farstate {

// Byte-level "BPE": a piece's bytes are merged.
struct BytePairJson {
  std::array<int32_t, 256> byte_ids{};
  std::vector<Merge> merges;
  bool ignore_merges = false;                      // words that are tokens are taken whole
  std::unordered_map<std::string, int32_t> words;  // these words; only with ignore_merges
};

// "WordLevel": a piece is one token.
struct WordJson {
  std::unordered_map<std::string, int32_t> words;
  int32_t unknown = -1;  // of a piece that is no token; -1: there is none
};

struct TokenizerJson {
  // How a text becomes pieces.
  bool compose = false;  // normal form C
  bool prefix_space = false;
  std::vector<std::string> patterns;  // each cuts what the one before it left
  std::vector<AddedToken> added;
  // How a piece becomes tokens.
  std::variant<BytePairJson, WordJson> model;
  std::vector<std::string> bytes;  // by id; empty where no token has it
};

// Throws Error(kBadInput) naming `source`, the key, what was found and what was wanted.
TokenizerJson parse_tokenizer_json(const std::string& text, const std::string& source);

}  // namespace farstate
