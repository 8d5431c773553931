// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/filler.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/stop.h"
#include "core/base/utf8.h"
#include "core/tasks/token_count.h"

namespace farstate {
namespace {

constexpr size_t kMostRead = size_t{8} << 20;
// A text without full stops is cut before a word, so that lengths can be met.
constexpr size_t kLongestSentence = 240;

void check_utf8(std::string_view text, const std::string& path) {
  for (size_t at = skip_ascii(text, 0); at < text.size(); at = skip_ascii(text, at)) {
    const Utf8Unit unit = next_utf8(text, at);
    if (!unit.valid) {
      throw Error(ErrorKind::kBadInput,
                  fmt::format("{} is not UTF-8 text: byte {:#04x} at offset {} starts no character; "
                              "convert it (iconv -t utf-8), or choose another text as filler.",
                              path, static_cast<unsigned char>(text[at]), at));
    }
    at += unit.length;
  }
}

// Whole characters of the first `size` bytes.
std::string_view beginning_of(std::string_view text, size_t size) {
  if (text.size() <= size) return text;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  return text.substr(0, size);
}

bool ends_sentence(std::string_view word) {
  const size_t last = word.find_last_not_of("\"')");
  return last != std::string_view::npos && std::string_view(".!?").find(word[last]) != std::string_view::npos;
}

}  // namespace

Filler::Filler(std::vector<std::string> sentences, const Tokenizer* tokenizer)
    : sentences_(std::move(sentences)) {
  if (tokenizer == nullptr) return;
  for (const std::string& sentence : sentences_) {
    throw_if_stopped();
    tokens_before_.push_back(tokens_before_.back() + count_tokens(*tokenizer, sentence));
    adds_up_ = adds_up_ && farstate::adds_up(*tokenizer, sentence);
  }
}

int64_t Filler::most_sentences(int64_t tokens) const {
  if (tokens <= 0) return 0;
  const int64_t round = tokens_before_.back();
  const auto after =
      std::upper_bound(tokens_before_.begin(), tokens_before_.end(), tokens % round);
  return tokens / round * count() + (after - tokens_before_.begin()) - 1;
}

int64_t Filler::tokens_of(int64_t sentence) const {
  const auto i = static_cast<size_t>(sentence % count());
  return tokens_before_[i + 1] - tokens_before_[i];
}

double Filler::mean_tokens() const {
  return static_cast<double>(tokens_before_.back()) / static_cast<double>(count());
}

void Filler::append(int64_t begin, int64_t end, std::string& text) const {
  for (int64_t i = begin; i < end; ++i) text += sentences_[static_cast<size_t>(i % count())];
}

std::string Filler::every_word() const {
  std::string text;
  append(0, count(), text);
  return text;
}

std::vector<std::string> read_sentences(const std::string& path) {
  const MappedFile file(path);
  const std::string_view text = beginning_of(file.bytes(), kMostRead);
  check_utf8(text, path);
  constexpr std::string_view kSpace = " \t\r\n\f\v";
  std::vector<std::string> sentences;
  bool begins = true;
  for (size_t at = text.find_first_not_of(kSpace); at != std::string_view::npos;) {
    const size_t end = std::min(text.find_first_of(kSpace, at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (begins || sentences.back().size() + 1 + word.size() > kLongestSentence) {
      sentences.emplace_back();
    }
    sentences.back().append(1, ' ').append(word);
    begins = ends_sentence(word);
    at = text.find_first_not_of(kSpace, end);
  }
  if (sentences.empty()) {
    throw Error(ErrorKind::kBadInput,
                fmt::format("{} has no words; choose a text with some sentences as filler.", path));
  }
  return sentences;
}

}  // namespace farstate
