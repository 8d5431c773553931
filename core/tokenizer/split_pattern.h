// SPDX-License-Identifier: GPL-3.0-or-later
// The regular expression by which a tokenizer cuts a text into words.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace farstate {

// The pattern of GPT-2, which "ByteLevel" stands for.
inline constexpr const char* kGpt2Pattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

// The patterns of the tokenizers that are made here (word_vocabulary.h). Words: letters with the one
// space before them; any other character, a space before it too, is a piece of its own.
inline constexpr const char* kWordPattern = R"( ?\p{L}+|[^\p{L}])";
inline constexpr const char* kCharacterPattern = R"([\s\S])";

class SplitPattern {
 public:
  // Compiles a pattern in Oniguruma's spelling, which tokenizer.json files are written in. `where`
  // names it in messages. Throws Error(kBadInput) for a malformed one, and for what Oniguruma and
  // PCRE2 read differently and is not translated.
  SplitPattern(const std::string& pattern, const std::string& where);

  // What one search needs; one thread's.
  class Searcher {
   public:
    explicit Searcher(const SplitPattern& pattern);
    // The next match at or after `at`; false if there is none. A match may be empty. Throws
    // Error(kBadInput) if the match takes more memory than there is.
    bool find(std::string_view text, size_t at, size_t& begin, size_t& end);

   private:
    struct State;
    std::shared_ptr<State> state_;
    const SplitPattern& pattern_;
  };

 private:
  std::shared_ptr<const void> code_;
  std::string where_;
  bool compiled_to_machine_code_ = false;
};

}  // namespace farstate
