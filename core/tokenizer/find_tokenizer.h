// SPDX-License-Identifier: GPL-3.0-or-later
// Which tokenizer a model reads texts with.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/tokenizer/tokenizer.h"

namespace farstate {

// The one that is given by its path; else the tokenizer.json in the model's folder (empty: it has
// none); else bytes, if the vocabulary is 256; else null. Throws Error(kBadInput) for a
// tokenizer.json that can't be read.
std::shared_ptr<const Tokenizer> find_tokenizer(const std::string& model_folder,
                                                const std::string& given, int64_t vocabulary);

}  // namespace farstate
