// SPDX-License-Identifier: GPL-3.0-or-later
// UTF-8, character by character. What is no UTF-8 is cut into maximal subparts, as Unicode
// recommends and Python's bytes.decode(errors="replace") does: each of them is one U+FFFD.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace farstate {

inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";

struct Utf8Unit {
  uint32_t code_point = 0xFFFD;
  uint32_t length = 0;     // in bytes
  bool valid = false;
  bool cut_off = false;  // not valid, but more bytes after the end of the text could make it so
};

// The character, or the maximal subpart of one, that begins at `at` < text.size().
Utf8Unit next_utf8(std::string_view text, size_t at);

// The first byte at or after `at` that is not ASCII; text.size() if there is none.
size_t skip_ascii(std::string_view text, size_t at);

// Maximal subparts that are no characters. Can be stopped.
int64_t count_invalid_utf8(std::string_view text);

// Appends the text with a U+FFFD for each of them.
void append_valid_utf8(std::string_view text, std::string& out);

// Unicode's White_Space.
bool is_white_space(uint32_t code_point);

}  // namespace farstate
