// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/tokenizer.h"

#include <utf8proc.h>

namespace farstate {
namespace {

constexpr const char* kReplacement = "\xEF\xBF\xBD";

// Length of the UTF-8 character that `lead` begins; 0 if it begins none.
size_t sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

}  // namespace

std::string TextDecoder::push(int64_t token) {
  pending_.append(tokenizer_.bytes(token));
  std::string out;
  while (!pending_.empty()) {
    const size_t wanted = sequence_length(static_cast<unsigned char>(pending_.front()));
    size_t good = 1;  // bytes of the prefix that can still become one character
    while (good < wanted && good < pending_.size() &&
           (static_cast<unsigned char>(pending_[good]) & 0xC0) == 0x80) {
      ++good;
    }
    if (wanted > 0 && good < wanted && good == pending_.size()) break;  // wait for more
    utf8proc_int32_t code_point;
    const bool valid =
        wanted > 0 && good == wanted &&
        utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(pending_.data()),
                         static_cast<utf8proc_ssize_t>(wanted), &code_point) > 0;
    out += valid ? pending_.substr(0, wanted) : kReplacement;
    pending_.erase(0, valid ? wanted : 1);
  }
  return out;
}

std::string TextDecoder::finish() {
  std::string out;
  for (size_t i = 0; i < pending_.size(); ++i) out += kReplacement;
  pending_.clear();
  return out;
}

}  // namespace farstate
