// SPDX-License-Identifier: GPL-3.0-or-later
// The seat of a tokenizer: text to ids and back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace farstate {

class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  virtual const std::string& name() const = 0;  // "bytes", or the path of its tokenizer.json
  virtual int64_t vocabulary() const = 0;       // every id is in [0, vocabulary)
  // The id of what has no token of its own; -1: everything has tokens, or is refused.
  virtual int64_t unknown() const { return -1; }
  // Equal for tokenizers that give equal ids: the key of what is kept of them.
  virtual uint64_t fingerprint() const = 0;

  // Appends the ids of the text. Bytes that are no UTF-8 are read as U+FFFD where the tokenizer
  // works on characters. Any number of threads may encode; a stop throws.
  virtual void encode(std::string_view text, std::vector<int32_t>& ids) const = 0;
  // The last place p > 0 in the text, which goes on after its end, where it may be cut: encoding
  // what lies before p and what follows it apart gives the ids of the whole. 0: nowhere.
  virtual size_t last_cut(std::string_view text) const = 0;
  // The bytes that a token stands for, not always whole characters; empty for an id that no token
  // has. Valid as long as the tokenizer.
  virtual std::string_view bytes(int64_t id) const = 0;
};

// A token's bytes as text, those that are no UTF-8 as U+FFFD.
std::string visible_text(const Tokenizer& tokenizer, int64_t id);

// Turns tokens back into text while they come: a character that is not complete yet is held back,
// and bytes that can't be UTF-8 become U+FFFD, so that every piece can be shown.
class TextDecoder {
 public:
  explicit TextDecoder(const Tokenizer& tokenizer) : tokenizer_(tokenizer) {}
  std::string push(int64_t token);  // the text that became complete, possibly empty
  std::string finish();             // what is left over, as U+FFFD

 private:
  const Tokenizer& tokenizer_;
  std::string pending_;  // between two calls at most 3 bytes
};

}  // namespace farstate
