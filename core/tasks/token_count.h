// SPDX-License-Identifier: GPL-3.0-or-later
// How many tokens a text will have that is put together from pieces.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/tokenizer/tokenizer.h"

namespace farstate {

int64_t count_tokens(const Tokenizer& tokenizer, std::string_view text);

// Whether a text that begins with a space may stand behind `piece` and change none of its ids: then
// the tokens of both add up.
bool adds_up(const Tokenizer& tokenizer, std::string_view piece);

}  // namespace farstate
