// SPDX-License-Identifier: GPL-3.0-or-later
// Whole words or single characters as tokens, from a tokenizer.json of the model "WordLevel": each
// piece that the patterns cut is looked up in the vocabulary. What is not there is the unknown
// token; without one it is refused, by name.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/tokenizer/pattern_tokenizer.h"

namespace farstate {

class WordTokenizer : public PatternTokenizer {
 public:
  // json.model holds words.
  WordTokenizer(std::string path, uint64_t fingerprint, const TokenizerJson& json);

  int64_t unknown() const override { return unknown_; }
  // With our own patterns the last place where a piece is sure to end.
  size_t last_cut(std::string_view text) const override;

 private:
  enum class Cut { kOther, kWords, kCharacters };

  Cut cut_of(const std::vector<std::string>& patterns) const;
  void encode_piece(std::string_view piece, Memory& memory,
                    std::vector<int32_t>& ids) const override;

  const Cut cut_;
  const int32_t unknown_;
  std::unordered_map<std::string_view, int32_t> ids_;  // the words are those of bytes()
};

}  // namespace farstate
