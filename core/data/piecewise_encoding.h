// SPDX-License-Identifier: GPL-3.0-or-later
// A long text encoded by all cores, in pieces that are cut where it changes no id.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "core/tokenizer/tokenizer.h"

namespace farstate {

struct EncodedPiece {
  size_t end = 0;  // in the text
  std::vector<int32_t> ids;
  int64_t replaced = 0;  // sequences that are no UTF-8, read as U+FFFD
};

// Calls take() on this thread for the pieces of text from `begin`, where an earlier piece ended, in
// their order. Memory is that of a few pieces of 256 KiB each; a text without a place to cut is one
// piece. A stop throws within a few milliseconds.
void encode_pieces(std::string_view text, size_t begin, const Tokenizer& tokenizer,
                   const std::function<void(const EncodedPiece&)>& take);

}  // namespace farstate
