// SPDX-License-Identifier: GPL-3.0-or-later
// New tokenizers of whole words or single characters, for small tasks. transformers reads them with
// the same ids.
//
// Words: letters with the one space before them (" kettle"). Every other character is a piece of
// its own: digits, marks, line feeds, and a space that no letter follows. So a number has the same
// tokens wherever it stands ("48213" and " 48213" differ by the piece " " alone), and the pieces,
// joined, are the text again.
// Characters: every character is a piece.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace farstate {

inline constexpr const char* kUnknownPiece = "[UNK]";

struct WordVocabulary {
  std::vector<std::string> pieces;
  std::string unknown;      // stands for what is no piece; empty: that is refused
  bool characters = false;  // cut into characters, else into words
};

// The tokenizer.json of these pieces: ids in their order, the unknown one last unless it is among
// them. Throws Error(kBadInput) for a piece that comes twice, is no UTF-8, or would be cut apart.
std::string to_tokenizer_json(const WordVocabulary& vocabulary);

// Writes tokenizer.json into the folder, and what makes transformers' AutoTokenizer read it as it
// is. Throws Error(kBadUsage) if a tokenizer is there already.
void save_tokenizer(const std::string& folder, const WordVocabulary& vocabulary);

// The pieces of a text, the most frequent first, of equals the one that comes first, and an unknown
// piece. At most `most_pieces` with the unknown one; 0: all. Can be stopped.
WordVocabulary vocabulary_of_text(std::string_view text, bool characters, int64_t most_pieces);

}  // namespace farstate
