// SPDX-License-Identifier: GPL-3.0-or-later
// Byte tokens: the id of a token is the byte. For models whose vocabulary is 256.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace farstate {

inline constexpr int64_t kByteVocabulary = 256;

std::vector<int64_t> encode_bytes(std::string_view text);

// Turns byte tokens back into text while they come: a character that is not complete yet is held
// back, and bytes that can't be UTF-8 become U+FFFD, so that every piece can be shown.
class ByteDecoder {
 public:
  std::string push(int64_t token);  // the text that became complete, possibly empty
  std::string finish();             // what is left over, as U+FFFD

 private:
  std::string pending_;
};

}  // namespace farstate
