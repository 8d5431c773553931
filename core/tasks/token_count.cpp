// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/token_count.h"

#include <string>
#include <vector>

namespace farstate {

int64_t count_tokens(const Tokenizer& tokenizer, std::string_view text) {
  std::vector<int32_t> ids;
  tokenizer.encode(text, ids);
  return static_cast<int64_t>(ids.size());
}

bool adds_up(const Tokenizer& tokenizer, std::string_view piece) {
  return tokenizer.last_cut(piece) == piece.size() ||
         tokenizer.last_cut(std::string(piece) + ' ') == piece.size();
}

}  // namespace farstate
