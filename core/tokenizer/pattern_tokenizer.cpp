// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/pattern_tokenizer.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>

#include "core/base/stop.h"
#include "core/base/utf8.h"
#include "core/tokenizer/composition.h"

namespace farstate {
namespace {

constexpr std::array<const char*, 3> kPatternsThatEndPiecesAnywhere = {kGpt2Pattern, kWordPattern,
                                                                       kCharacterPattern};
constexpr std::array<const char*, 2> kPatternsThatEndPiecesAfterLetters = {
    // Llama 3
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
    // Qwen 2
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"};

// The character that ends at `end` > 0; U+FFFD if none does.
uint32_t character_before(std::string_view text, size_t end) {
  for (size_t length = 1; length <= std::min<size_t>(4, end); ++length) {
    if ((static_cast<unsigned char>(text[end - length]) & 0xC0) == 0x80) continue;
    const Utf8Unit unit = next_utf8(text.substr(0, end), end - length);
    return unit.valid && unit.length == length ? unit.code_point : 0xFFFD;
  }
  return 0xFFFD;
}

}  // namespace

PatternTokenizer::PatternTokenizer(std::string path, uint64_t fingerprint,
                                   const TokenizerJson& json)
    : name_(std::move(path)),
      fingerprint_(fingerprint),
      compose_(json.compose),
      prefix_space_(json.prefix_space),
      piece_ends_(piece_ends_of(json.patterns)),
      raw_added_(added(json, false)),
      normalized_added_(added(json, true)),
      bytes_(json.bytes) {
  for (const std::string& pattern : json.patterns) patterns_.emplace_back(pattern, name_);
  find_cut_characters(json.added);
}

PatternTokenizer::Worker::Worker(const std::vector<SplitPattern>& patterns,
                                 std::unique_ptr<Memory> its_memory)
    : searchers(patterns.begin(), patterns.end()), memory(std::move(its_memory)) {}

std::string_view PatternTokenizer::bytes(int64_t id) const {
  if (id < 0 || id >= vocabulary()) return {};
  return bytes_[static_cast<size_t>(id)];
}

void PatternTokenizer::encode(std::string_view text, std::vector<int32_t>& ids) const {
  std::unique_ptr<Worker> worker = take_worker();
  encode_text(text, *worker, ids);
  give_back(std::move(worker));
}

// A cut lies before a space or a line feed that follows a character which ends pieces. Then
// - no piece crosses it, and a piece begins there: the patterns have no piece with white space after
//   such a character, each place of a text is in some piece, and nothing looks behind;
// - the one thing that looks ahead, \s+(?!\S), stands in white space, and sees a character before
//   the cut or nothing of it;
// - composition does not reach over it: neither character joins another;
// - no added token crosses it, and none beside it changes (find_cut_characters());
// - no character is cut, since a whole one ends there;
// - a space that would be put before a text that begins without one is not: there is one.
size_t PatternTokenizer::last_cut(std::string_view text) const {
  for (size_t at = text.size(); at-- > 1;) {
    const char c = text[at];
    if (!((c == ' ' && cut_at_space_) || (c == '\n' && cut_at_line_feed_))) continue;
    if (ends_piece(character_before(text, at))) return at;
  }
  return 0;
}

PatternTokenizer::PieceEnds PatternTokenizer::piece_ends_of(
    const std::vector<std::string>& patterns) {
  if (patterns.size() != 1) return PieceEnds::kUnknown;
  const auto is_in = [&](const auto& known) {
    return std::find(known.begin(), known.end(), patterns.front()) != known.end();
  };
  if (is_in(kPatternsThatEndPiecesAnywhere)) return PieceEnds::kAllButWhiteSpace;
  return is_in(kPatternsThatEndPiecesAfterLetters) ? PieceEnds::kLettersAndNumbers
                                                   : PieceEnds::kUnknown;
}

bool PatternTokenizer::ends_piece(uint32_t c) const {
  if (piece_ends_ == PieceEnds::kUnknown || is_white_space(c)) return false;
  if (piece_ends_ == PieceEnds::kAllButWhiteSpace) return true;
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
      return stays_composed(c);  // so it is still the last one after composition
    default:
      return false;
  }
}

std::vector<AddedToken> PatternTokenizer::added(const TokenizerJson& json, bool normalized) {
  std::vector<AddedToken> chosen;
  for (AddedToken token : json.added) {
    if (token.normalized != normalized) continue;
    std::string buffer;
    if (normalized && json.compose) token.content = std::string(compose(token.content, buffer));
    chosen.push_back(std::move(token));
  }
  return chosen;
}

// Which of the two characters an added token leaves to be cut at: none may hold it with the end
// of a piece before it, or begin with it and ask what stands before, or take it from behind.
void PatternTokenizer::find_cut_characters(const std::vector<AddedToken>& tokens) {
  cut_at_space_ = piece_ends_ != PieceEnds::kUnknown;
  cut_at_line_feed_ = cut_at_space_ && !prefix_space_;
  for (const AddedToken& token : tokens) {
    std::string buffer;
    for (const std::string_view content : {std::string_view(token.content), compose(token.content, buffer)}) {
      for (size_t at = 0; at <= content.size(); ++at) {
        const bool at_end = at == content.size();
        if (at == 0 ? !token.single_word : !ends_piece(character_before(content, at))) continue;
        if (at_end && !token.rstrip) continue;
        if (at_end || content[at] == ' ') cut_at_space_ = false;
        if (at_end || content[at] == '\n') cut_at_line_feed_ = false;
      }
    }
  }
}

std::unique_ptr<PatternTokenizer::Worker> PatternTokenizer::take_worker() const {
  const std::lock_guard lock(mutex_);
  if (workers_.empty()) return std::make_unique<Worker>(patterns_, new_memory());
  std::unique_ptr<Worker> worker = std::move(workers_.back());
  workers_.pop_back();
  return worker;
}

void PatternTokenizer::give_back(std::unique_ptr<Worker> worker) const {
  const std::lock_guard lock(mutex_);
  workers_.push_back(std::move(worker));
}

void PatternTokenizer::encode_text(std::string_view text, Worker& worker,
                                   std::vector<int32_t>& ids) const {
  if (count_invalid_utf8(text) > 0) {
    worker.valid.clear();
    append_valid_utf8(text, worker.valid);
    text = worker.valid;
  }
  worker.raw_parts.clear();
  raw_added_.split(text, worker.raw_parts);
  for (const TextPart& part : worker.raw_parts) {
    if (part.id >= 0) {
      ids.push_back(part.id);
    } else {
      encode_normalized(text.substr(part.begin, part.end - part.begin), worker, ids);
    }
  }
}

void PatternTokenizer::encode_normalized(std::string_view text, Worker& worker,
                                         std::vector<int32_t>& ids) const {
  if (compose_) text = compose(text, worker.composed);
  worker.parts.clear();
  normalized_added_.split(text, worker.parts);
  for (const TextPart& part : worker.parts) {
    if (part.id >= 0) {
      ids.push_back(part.id);
      continue;
    }
    std::string_view words = text.substr(part.begin, part.end - part.begin);
    if (prefix_space_ && words.front() != ' ') {
      worker.prefixed.assign(1, ' ');
      worker.prefixed += words;
      words = worker.prefixed;
    }
    encode_pieces(words, 0, worker, ids);
  }
}

// Cuts the text by the patterns from `level` on; each cuts at both ends of its matches.
void PatternTokenizer::encode_pieces(std::string_view text, size_t level, Worker& worker,
                                     std::vector<int32_t>& ids) const {
  constexpr int64_t kStopCheck = 4096;
  if (level == worker.searchers.size()) {
    if (++worker.pieces % kStopCheck == 0) throw_if_stopped();
    return encode_piece(text, *worker.memory, ids);
  }
  size_t done = 0;
  const auto cut = [&](size_t end) {
    if (end > done) encode_pieces(text.substr(done, end - done), level + 1, worker, ids);
    done = end;
  };
  size_t begin, end;
  for (size_t at = 0; at < text.size() && worker.searchers[level].find(text, at, begin, end);) {
    cut(begin);
    cut(end);
    at = end;
    if (begin == end && end < text.size()) at += next_utf8(text, end).length;
    if (begin == end && end == text.size()) break;
  }
  cut(text.size());
}

}  // namespace farstate
