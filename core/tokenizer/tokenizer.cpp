// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/tokenizer.h"

#include "core/base/utf8.h"

namespace farstate {

std::string visible_text(const Tokenizer& tokenizer, int64_t id) {
  std::string text;
  append_valid_utf8(tokenizer.bytes(id), text);
  return text;
}

std::string TextDecoder::push(int64_t token) {
  pending_.append(tokenizer_.bytes(token));
  std::string out;
  size_t at = 0;
  while (at < pending_.size()) {
    const Utf8Unit unit = next_utf8(pending_, at);
    if (unit.cut_off) break;  // wait for more
    if (unit.valid) {
      out.append(pending_, at, unit.length);
    } else {
      out += kReplacementCharacter;
    }
    at += unit.length;
  }
  pending_.erase(0, at);
  return out;
}

std::string TextDecoder::finish() {
  const bool left = !pending_.empty();
  pending_.clear();
  return left ? std::string(kReplacementCharacter) : "";
}

}  // namespace farstate
