// SPDX-License-Identifier: GPL-3.0-or-later
// Unicode's normal form C: characters and the marks on them composed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace farstate {

// The valid UTF-8 text in normal form C: the text itself where it is so already, else made in
// `buffer`. A stop throws.
std::string_view compose(std::string_view text, std::string& buffer);

// Whether the character is left as it is, whatever stands before it.
bool stays_composed(uint32_t code_point);

}  // namespace farstate
