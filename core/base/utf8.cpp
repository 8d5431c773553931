// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/utf8.h"

#include <algorithm>
#include <cstring>

#include "core/base/stop.h"

namespace farstate {
namespace {

// What a lead byte asks for. The second byte's range excludes overlong forms, surrogates and what
// lies above U+10FFFF; all later bytes are 80 to BF.
struct Lead {
  uint32_t length;  // 0: begins no character
  unsigned char low, high;
};

Lead lead_of(unsigned char byte) {
  if (byte < 0xC2 || byte > 0xF4) return {0, 0, 0};
  if (byte < 0xE0) return {2, 0x80, 0xBF};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte < 0xF0) return {3, 0x80, 0xBF};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {4, 0x80, 0xBF};
}

// Calls invalid(begin, length) for every maximal subpart that is no character.
template <typename Invalid>
void for_each_invalid(std::string_view text, const Invalid& invalid) {
  constexpr size_t kStopCheck = size_t{1} << 22;
  size_t next_check = kStopCheck;
  for (size_t at = 0; at < text.size();) {
    // In bounded strides, so that a stop is seen in a text that is all ASCII.
    at = skip_ascii(text.substr(0, std::min(text.size(), next_check)), at);
    if (at >= next_check) {
      throw_if_stopped();
      next_check = at + kStopCheck;
      continue;
    }
    if (at == text.size()) break;
    const Utf8Unit unit = next_utf8(text, at);
    if (!unit.valid) invalid(at, unit.length);
    at += unit.length;
  }
}

}  // namespace

Utf8Unit next_utf8(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1, true, false};
  const Lead lead = lead_of(first);
  if (lead.length == 0) return {0xFFFD, 1, false, false};
  const size_t left = text.size() - at;
  uint32_t code_point = first & (0x7Fu >> lead.length);
  for (uint32_t i = 1; i < lead.length; ++i) {
    if (i == left) return {0xFFFD, i, false, true};
    const unsigned char low = i == 1 ? lead.low : 0x80, high = i == 1 ? lead.high : 0xBF;
    if (byte(i) < low || byte(i) > high) return {0xFFFD, i, false, false};
    code_point = code_point << 6 | (byte(i) & 0x3Fu);
  }
  return {code_point, lead.length, true, false};
}

size_t skip_ascii(std::string_view text, size_t at) {
  constexpr uint64_t kHighBits = 0x8080808080808080;
  for (; at + sizeof(uint64_t) <= text.size(); at += sizeof(uint64_t)) {
    uint64_t word;
    std::memcpy(&word, text.data() + at, sizeof(word));
    if ((word & kHighBits) != 0) break;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

int64_t count_invalid_utf8(std::string_view text) {
  int64_t count = 0;
  for_each_invalid(text, [&](size_t, size_t) { ++count; });
  return count;
}

void append_valid_utf8(std::string_view text, std::string& out) {
  size_t copied = 0;
  for_each_invalid(text, [&](size_t begin, size_t length) {
    out.append(text, copied, begin - copied);
    out += kReplacementCharacter;
    copied = begin + length;
  });
  out.append(text, copied);
}

bool is_white_space(uint32_t c) {
  if (c < 0x80) return c == ' ' || (c >= '\t' && c <= '\r');
  return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
         c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

}  // namespace farstate
