// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences about nothing in particular, in which the facts of a task are hidden. A small grammar
// makes millions of them, and in none stands a person, a room, an object or an answer of BABILong.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "core/tokenizer/tokenizer.h"

namespace farstate {

class BackgroundText {
 public:
  // Without a tokenizer sentences have no number of tokens.
  explicit BackgroundText(const Tokenizer* tokenizer);

  struct Sentence {
    std::string text;    // "After the rain, the miller counted the coins."
    // With a space before it. A sum over phrases, so that a long text is encoded once and not
    // twice: the true number where the tokenizer cuts before spaces.
    int64_t tokens = 0;
  };
  Sentence draw(Rng& numbers) const;

  // Sentences in which every phrase stands in all places that it can have.
  std::string every_word() const;

 private:
  struct Phrase {
    std::string text, capitalised;
    int64_t tokens = 0, capitalised_tokens = 0;  // with a space before
  };
  template <typename Choose>
  Sentence write(size_t pattern, const Choose& choose) const;

  std::vector<std::vector<Phrase>> phrases_;  // by slot
  int64_t comma_tokens_ = 0, full_stop_tokens_ = 0;
};

}  // namespace farstate
