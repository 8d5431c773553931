// SPDX-License-Identifier: GPL-3.0-or-later
// Token ids as a front end shows them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/data/corpus.h"
#include "core/results/model_report.h"
#include "core/results/state_report.h"
#include "core/tokenizer/tokenizer.h"

namespace farstate {

// Without a tokenizer (null) the ids stand alone.
std::vector<TokenPreview> token_previews(std::span<const int64_t> ids, const Tokenizer* tokenizer);

// Of the first sequence, the tokens on both sides of each position.
std::vector<TextAround> text_around(const Sequences& sequences, std::span<const int64_t> positions,
                                    const Tokenizer* tokenizer);

}  // namespace farstate
