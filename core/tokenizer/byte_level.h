// SPDX-License-Identifier: GPL-3.0-or-later
// How byte-level tokenizers write bytes as characters that can be seen: printable Latin-1 stands
// for itself, the other 68 bytes for U+0100 and on, in order. A space is "Ġ".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace farstate {

// The character that stands for the byte, as UTF-8.
std::string byte_character(unsigned char byte);

// The bytes that a token's characters stand for; nothing if one of them stands for none.
std::optional<std::string> bytes_of_characters(std::string_view characters);

}  // namespace farstate
