// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/byte_level.h"

#include <array>
#include <cstdint>

#include "core/base/utf8.h"

namespace farstate {
namespace {

constexpr uint32_t kFirstSubstitute = 0x100;
constexpr uint32_t kCharacters = 0x144;  // above all of them

bool stands_for_itself(uint32_t byte) {
  return (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte != 0xAD);
}

struct Alphabet {
  std::array<uint32_t, 256> character{};
  std::array<int, kCharacters> byte{};
  Alphabet() {
    byte.fill(-1);
    uint32_t substitute = kFirstSubstitute;
    for (uint32_t b = 0; b < 256; ++b) {
      character[b] = stands_for_itself(b) ? b : substitute++;
      byte[character[b]] = static_cast<int>(b);
    }
  }
};

const Alphabet& alphabet() {
  static const Alphabet table;
  return table;
}

}  // namespace

std::string byte_character(unsigned char byte) {
  const uint32_t c = alphabet().character[byte];
  if (c < 0x80) return {static_cast<char>(c)};
  return {static_cast<char>(0xC0 | c >> 6), static_cast<char>(0x80 | (c & 0x3F))};
}

std::optional<std::string> bytes_of_characters(std::string_view characters) {
  std::string bytes;
  for (size_t at = 0; at < characters.size();) {
    const Utf8Unit unit = next_utf8(characters, at);
    const int byte = unit.valid && unit.code_point < kCharacters
                         ? alphabet().byte[unit.code_point]
                         : -1;
    if (byte < 0) return std::nullopt;
    bytes.push_back(static_cast<char>(byte));
    at += unit.length;
  }
  return bytes;
}

}  // namespace farstate
