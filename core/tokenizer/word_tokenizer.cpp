// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/word_tokenizer.h"

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/utf8.h"
#include "core/tokenizer/split_pattern.h"

namespace farstate {
namespace {

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Between two bytes of a text, the second of which may not be known yet. An ASCII character is a
// whole one, so at its sides no character is cut; of others it is not asked whether they are letters.
bool word_ends(char before, const char* after) {
  const bool new_piece_after = after != nullptr && is_ascii(*after) && !is_ascii_letter(*after);
  const bool whole_piece_before = is_ascii(before) && !is_ascii_letter(before) && before != ' ';
  return new_piece_after || whole_piece_before;
}

bool character_ends(std::string_view text, size_t at) {
  for (size_t length = 1; length <= 4 && length <= at; ++length) {
    const Utf8Unit unit = next_utf8(text.substr(0, at), at - length);
    if (unit.valid) return unit.length == length;
  }
  return false;
}

}  // namespace

WordTokenizer::WordTokenizer(std::string path, uint64_t fingerprint, const TokenizerJson& json)
    : PatternTokenizer(std::move(path), fingerprint, json),
      cut_(cut_of(json.patterns)),
      unknown_(std::get<WordJson>(json.model).unknown) {
  for (const auto& [word, id] : std::get<WordJson>(json.model).words) ids_.emplace(bytes(id), id);
}

WordTokenizer::Cut WordTokenizer::cut_of(const std::vector<std::string>& patterns) const {
  if (!cuts_only() || patterns.size() != 1) return Cut::kOther;
  if (patterns.front() == kWordPattern) return Cut::kWords;
  return patterns.front() == kCharacterPattern ? Cut::kCharacters : Cut::kOther;
}

size_t WordTokenizer::last_cut(std::string_view text) const {
  if (cut_ == Cut::kOther) return PatternTokenizer::last_cut(text);
  for (size_t at = text.size(); at > 0; --at) {
    const char* after = at < text.size() ? &text[at] : nullptr;
    const bool ends = cut_ == Cut::kWords ? word_ends(text[at - 1], after) : character_ends(text, at);
    if (ends) return at;
  }
  return 0;
}

void WordTokenizer::encode_piece(std::string_view piece, Memory& /*memory*/,
                                 std::vector<int32_t>& ids) const {
  const auto found = ids_.find(piece);
  if (found == ids_.end() && unknown_ < 0) {
    const std::string after_space = " " + std::string(piece);
    if (ids_.contains(after_space)) {
      throw Error(ErrorKind::kBadInput,
                  fmt::format("{} knows {} after a space alone; write one before it.", name(),
                              short_text(nlohmann::json(piece))));
    }
    throw Error(ErrorKind::kBadInput,
                fmt::format("The text has {}, and {} has no such token and none for what it does not "
                            "know; choose a text of its words, or a tokenizer with an unknown token.",
                            short_text(nlohmann::json(piece)), name()));
  }
  ids.push_back(found == ids_.end() ? unknown_ : found->second);
}

}  // namespace farstate
