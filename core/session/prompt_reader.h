// SPDX-License-Identifier: GPL-3.0-or-later
// Prompts that a model is to go on from. What prompts have in common at their beginning, token by
// token, is read once: the state after it is the same for all of them.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/models/recurrent_lm.h"
#include "core/tokenizer/tokenizer.h"

namespace farstate {

using TokenIds = std::vector<int32_t>;

// n prompts that were read to their ends.
struct PromptEnds {
  ModelState state;   // n rows
  at::Tensor hidden;  // [n,D] what the next token is predicted from
  int64_t longest = 0;  // tokens of the longest prompt
};

class PromptReader {
 public:
  explicit PromptReader(const RecurrentLM& model) : model_(model) {}

  // Prompts of one token or more. What they share with each other and with `like`, which is not
  // read, is kept for prompts to come. A stop throws.
  PromptEnds read(const std::vector<TokenIds>& prompts, const TokenIds& like,
                  const ProgressSink& progress = {});

  int64_t tokens_read() const { return tokens_read_; }  // rows x positions, of all calls

 private:
  struct Beginning {
    TokenIds ids;
    ModelState state;  // one row, after them
  };

  const Beginning& beginning(const TokenIds& prompt, int64_t length, const ProgressSink& progress);
  void keep(Beginning beginning);

  const RecurrentLM& model_;
  std::vector<Beginning> kept_;  // the newest last
  int64_t tokens_read_ = 0;
};

// Rows that go on from where their prompts end with the likeliest token at each, until `ended` of a
// row's text, or its `most` tokens. The state is used up. Bytes that are no UTF-8 become U+FFFD.
// Throws Error(kDiverged) where a prediction is not finite, as predictions() does.
std::vector<std::string> go_on_greedily(
    const RecurrentLM& model, const Tokenizer& tokenizer, PromptEnds ends,
    const std::vector<int64_t>& most,
    const std::function<bool(size_t row, std::string_view text)>& ended);

// What a model makes of a token that the text has, from the text before it.
struct Prediction {
  int64_t likeliest = 0;
  double loss = 0;  // nats, of the token that is there
};

// For each row of texts, which end with the last token asked for or later, the predictions at the
// token indices `asked` (ascending, from 1).
std::vector<std::vector<Prediction>> predictions(const RecurrentLM& model, int64_t drawable,
                                                 const std::vector<TokenIds>& texts,
                                                 const std::vector<std::vector<int64_t>>& asked,
                                                 const ProgressSink& progress = {});

}  // namespace farstate
