// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens that are found in the text before it is cut into words: marks such as <|endoftext|>, runs
// of spaces.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace farstate {

struct AddedToken {
  int32_t id = 0;
  std::string content;
  bool single_word = false;  // not as a part of a longer word
  bool lstrip = false;       // takes the white space before it
  bool rstrip = false;       // takes the white space after it
  bool normalized = false;   // is looked for in the normalised text
};

// A part of a text: an added token, or what lies between two of them.
struct TextPart {
  size_t begin = 0;
  size_t end = 0;
  int32_t id = -1;  // -1: no added token
};

// Finds added tokens: the leftmost, of those the longest, then on from its end.
class AddedTokens {
 public:
  explicit AddedTokens(std::vector<AddedToken> tokens);
  bool empty() const { return tokens_.empty(); }
  void split(std::string_view text, std::vector<TextPart>& parts) const;

 private:
  // A tree of the contents' bytes: the first child, and a list of siblings.
  struct Node {
    int32_t child = -1;
    int32_t sibling = -1;
    int32_t token = -1;  // that ends here
    unsigned char byte = 0;
  };
  int32_t child(int32_t node, unsigned char byte) const;
  int32_t longest_at(std::string_view text, size_t at) const;

  std::vector<AddedToken> tokens_;
  std::vector<Node> nodes_;
  std::array<int32_t, 256> roots_;
  // Pairs of bytes that a token can begin with: rules out almost every place of a text at once.
  std::bitset<65536> beginnings_;
};

}  // namespace farstate
