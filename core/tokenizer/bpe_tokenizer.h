// SPDX-License-Identifier: GPL-3.0-or-later
// Byte-level BPE, as GPT-2, GPT-NeoX and their successors use it, from a tokenizer.json. Its ids are
// those of the tokenizers package. Each piece's bytes are merged.
#pragma once

#include <memory>
#include <string>

#include "core/tokenizer/byte_pair_merges.h"
#include "core/tokenizer/pattern_tokenizer.h"

namespace farstate {

class BpeTokenizer : public PatternTokenizer {
 public:
  // json.model holds byte pairs.
  BpeTokenizer(std::string path, uint64_t fingerprint, TokenizerJson json);

 private:
  struct MergeMemory;
  std::unique_ptr<Memory> new_memory() const override;
  void encode_piece(std::string_view piece, Memory& memory,
                    std::vector<int32_t>& ids) const override;

  BytePairMerges merges_;
};

}  // namespace farstate
