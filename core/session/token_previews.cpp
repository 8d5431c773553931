// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/token_previews.h"

#include <algorithm>

namespace farstate {

std::vector<TokenPreview> token_previews(std::span<const int64_t> ids, const Tokenizer* tokenizer) {
  std::vector<TokenPreview> tokens;
  for (const int64_t id : ids) {
    tokens.push_back({id, tokenizer == nullptr ? "" : visible_text(*tokenizer, id)});
  }
  return tokens;
}

std::vector<TextAround> text_around(const Sequences& sequences, std::span<const int64_t> positions,
                                    const Tokenizer* tokenizer) {
  constexpr int64_t kSide = 12;
  std::vector<TextAround> texts;
  for (const int64_t position : positions) {
    const int64_t first = std::max<int64_t>(position - kSide, 0);
    const int64_t last = std::min(position + kSide, sequences.length);
    std::vector<int64_t> ids(static_cast<size_t>(last - first));
    sequences.read(0, first, ids);
    texts.push_back({position, first, token_previews(ids, tokenizer)});
  }
  return texts;
}

}  // namespace farstate
