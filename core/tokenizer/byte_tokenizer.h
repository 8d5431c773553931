// SPDX-License-Identifier: GPL-3.0-or-later
// Byte tokens: the id of a token is the byte. For models whose vocabulary is 256.
#pragma once

#include <memory>

#include "core/tokenizer/tokenizer.h"

namespace farstate {

inline constexpr int64_t kByteVocabulary = 256;

const std::shared_ptr<const Tokenizer>& byte_tokenizer();

}  // namespace farstate
