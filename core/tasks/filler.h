// SPDX-License-Identifier: GPL-3.0-or-later
// A text that says nothing about the answer, as long as wanted: sentences in their order, again and
// again.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/tokenizer/tokenizer.h"

namespace farstate {

class Filler {
 public:
  // Each sentence begins with a space. Without a tokenizer nothing can be counted.
  Filler(std::vector<std::string> sentences, const Tokenizer* tokenizer);

  // How many sentences from the beginning have `tokens` tokens at most; 0 where that is negative.
  int64_t most_sentences(int64_t tokens) const;
  int64_t tokens_of(int64_t sentence) const;
  double mean_tokens() const;
  // Whether the tokens of a text of sentences are the sum of theirs.
  bool adds_up() const { return adds_up_; }
  // Sentences [begin, end).
  void append(int64_t begin, int64_t end, std::string& text) const;
  std::string every_word() const;

 private:
  int64_t count() const { return static_cast<int64_t>(sentences_.size()); }

  std::vector<std::string> sentences_;
  std::vector<int64_t> tokens_before_ = {0};  // of the first i sentences
  bool adds_up_ = true;
};

// The sentences of a UTF-8 file, white space between words made one space, from its first 8 MiB.
// Throws Error(kBadInput) for a file that can't be read, has no words or is not UTF-8.
std::vector<std::string> read_sentences(const std::string& path);

}  // namespace farstate
