// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/added_tokens.h"

#include <utf8proc.h>

#include <algorithm>

#include "core/base/stop.h"
#include "core/base/utf8.h"

namespace farstate {
namespace {

unsigned char byte_at(std::string_view text, size_t i) { return static_cast<unsigned char>(text[i]); }

size_t pair_of(unsigned char first, unsigned char second) { return size_t{first} << 8 | second; }

size_t begin_of_last_character(std::string_view text) {
  size_t at = text.size() - 1;
  while (at > 0 && (byte_at(text, at) & 0xC0) == 0x80) --at;
  return at;
}

// What Unicode counts to a word: letters, marks, digits, connectors, joiners, and the letters in
// circles and squares that are symbols by category and alphabetic all the same.
bool is_word_character(uint32_t c) {
  if (c == 0x200C || c == 0x200D) return true;
  if ((c >= 0x24B6 && c <= 0x24E9) || (c >= 0x1F130 && c <= 0x1F149) ||
      (c >= 0x1F150 && c <= 0x1F169) || (c >= 0x1F170 && c <= 0x1F189)) {
    return true;
  }
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_PC:
      return true;
    default:
      return false;
  }
}

bool inside_word(std::string_view text, size_t begin, size_t end) {
  const auto word_at = [&](size_t at) { return is_word_character(next_utf8(text, at).code_point); };
  return (begin > 0 && word_at(begin_of_last_character(text.substr(0, begin)))) ||
         (end < text.size() && word_at(end));
}

size_t skip_white_space_back(std::string_view text, size_t end) {
  while (end > 0) {
    const size_t at = begin_of_last_character(text.substr(0, end));
    if (!is_white_space(next_utf8(text, at).code_point)) break;
    end = at;
  }
  return end;
}

size_t skip_white_space(std::string_view text, size_t at) {
  while (at < text.size()) {
    const Utf8Unit unit = next_utf8(text, at);
    if (!is_white_space(unit.code_point)) break;
    at += unit.length;
  }
  return at;
}

}  // namespace

AddedTokens::AddedTokens(std::vector<AddedToken> tokens) : tokens_(std::move(tokens)) {
  roots_.fill(-1);
  for (size_t t = 0; t < tokens_.size(); ++t) {
    const std::string& content = tokens_[t].content;
    int32_t node = -1;
    for (const char c : content) {
      const auto byte = static_cast<unsigned char>(c);
      int32_t next = node < 0 ? roots_[byte] : child(node, byte);
      if (next < 0) {
        next = static_cast<int32_t>(nodes_.size());
        nodes_.push_back({-1, node < 0 ? -1 : nodes_[static_cast<size_t>(node)].child, -1, byte});
        (node < 0 ? roots_[byte] : nodes_[static_cast<size_t>(node)].child) = next;
      }
      node = next;
    }
    nodes_[static_cast<size_t>(node)].token = static_cast<int32_t>(t);
    if (content.size() > 1) {
      beginnings_.set(pair_of(byte_at(content, 0), byte_at(content, 1)));
    } else {
      for (int second = 0; second < 256; ++second) {
        beginnings_.set(pair_of(byte_at(content, 0), static_cast<unsigned char>(second)));
      }
    }
  }
}

int32_t AddedTokens::child(int32_t node, unsigned char byte) const {
  int32_t next = nodes_[static_cast<size_t>(node)].child;
  while (next >= 0 && nodes_[static_cast<size_t>(next)].byte != byte) {
    next = nodes_[static_cast<size_t>(next)].sibling;
  }
  return next;
}

int32_t AddedTokens::longest_at(std::string_view text, size_t at) const {
  int32_t longest = -1;
  int32_t node = roots_[byte_at(text, at)];
  while (node >= 0) {
    if (nodes_[static_cast<size_t>(node)].token >= 0) longest = nodes_[static_cast<size_t>(node)].token;
    if (++at == text.size()) break;
    node = child(node, byte_at(text, at));
  }
  return longest;
}

void AddedTokens::split(std::string_view text, std::vector<TextPart>& parts) const {
  constexpr size_t kStopCheck = size_t{1} << 22;
  size_t next_check = kStopCheck;
  size_t done = 0;  // what lies before is in parts
  for (size_t at = 0; !empty() && at < text.size();) {
    if (at >= next_check) {
      throw_if_stopped();
      next_check = at + kStopCheck;
    }
    if (at + 1 < text.size() && !beginnings_[pair_of(byte_at(text, at), byte_at(text, at + 1))]) {
      ++at;
      continue;
    }
    const int32_t found = longest_at(text, at);
    if (found < 0) {
      ++at;
      continue;
    }
    const AddedToken& token = tokens_[static_cast<size_t>(found)];
    size_t begin = at, end = at + token.content.size();
    at = end;
    if (token.single_word && inside_word(text, begin, end)) continue;
    if (token.lstrip) begin = std::max(skip_white_space_back(text, begin), done);
    // The next token is looked for from this one's own end, so it may lie in the white space that
    // is taken here; the reference keeps both, and so do we.
    if (token.rstrip) end = skip_white_space(text, end);
    if (done < begin) parts.push_back({done, begin, -1});
    parts.push_back({begin, end, token.id});
    done = end;
  }
  if (done < text.size()) parts.push_back({done, text.size(), -1});
}

}  // namespace farstate
