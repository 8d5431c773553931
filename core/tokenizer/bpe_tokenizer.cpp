// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/bpe_tokenizer.h"

namespace farstate {
namespace {

BytePairMerges merges_of(BytePairJson json) {
  BytePairMerges merges(json.byte_ids, json.merges);
  if (json.ignore_merges) merges.set_whole_words(std::move(json.words));
  return merges;
}

}  // namespace

struct BpeTokenizer::MergeMemory : Memory {
  BytePairMerges::Memory merges;
};

BpeTokenizer::BpeTokenizer(std::string path, uint64_t fingerprint, TokenizerJson json)
    : PatternTokenizer(std::move(path), fingerprint, json),
      merges_(merges_of(std::get<BytePairJson>(std::move(json.model)))) {}

std::unique_ptr<PatternTokenizer::Memory> BpeTokenizer::new_memory() const {
  return std::make_unique<MergeMemory>();
}

void BpeTokenizer::encode_piece(std::string_view piece, Memory& memory,
                                std::vector<int32_t>& ids) const {
  merges_.encode(piece, static_cast<MergeMemory&>(memory).merges, ids);
}

}  // namespace farstate
