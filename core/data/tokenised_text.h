// SPDX-License-Identifier: GPL-3.0-or-later
// A text file as ids. They are kept in a cache folder, so that a text is encoded once, and what was
// encoded before the program was ended is not encoded again (docs/FORMATS.md).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/data/token_source.h"
#include "core/tokenizer/tokenizer.h"

namespace farstate {

struct TokenisedText {
  std::shared_ptr<const TokenSource> tokens;
  int64_t bytes = 0;     // of the text
  int64_t replaced = 0;  // sequences that are no UTF-8, read as U+FFFD
  bool kept = false;     // the ids were there already
  int64_t encoded = 0;   // bytes that were encoded now: the rest was there already
  std::vector<std::string> notes;
};

// Throws Error(kBadInput) for a file that can't be read, is empty or is no text.
TokenisedText tokenise_file(const std::string& path,
                            const std::shared_ptr<const Tokenizer>& tokenizer,
                            const ProgressSink& progress);
TokenisedText tokenise_text(std::string_view text,
                            const std::shared_ptr<const Tokenizer>& tokenizer,
                            const ProgressSink& progress);

// Looks at the beginning of a file. Throws Error(kBadInput) if it is empty or no text.
void check_text(const MappedFile& file, const Tokenizer& tokenizer);

// How many tokens the file has, if that is known without encoding it.
std::optional<int64_t> kept_token_count(const std::string& path, const Tokenizer& tokenizer);

}  // namespace farstate
