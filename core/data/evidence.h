// SPDX-License-Identifier: GPL-3.0-or-later
// Which tokens of a generated text can be known from what was read, and how far back that lies.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/data/generated_text.h"
#include "core/data/token_source.h"
#include "core/tokenizer/tokenizer.h"

namespace farstate {

// By token: how many tokens before it begins the word that it can be known from; 0: it can't be
// known. Null where the text does not say, or the tokens, joined, are not the text.
std::shared_ptr<const std::vector<int32_t>> evidence_of(const GeneratedText& text,
                                                        const TokenSource& tokens,
                                                        const Tokenizer& tokenizer);

}  // namespace farstate
