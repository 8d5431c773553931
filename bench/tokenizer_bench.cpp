// SPDX-License-Identifier: GPL-3.0-or-later
// Speed of a tokenizer on one core: byte-level BPE with GPT-2's words, or our own words or characters.
// First a part of the text has to give the ids that a slow and direct encoding gives; a wrong
// tokenizer is not timed.
//   tokenizer_bench tokenizer.json text
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <ctime>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/file.h"
#include "core/base/utf8.h"
#include "core/tokenizer/byte_level.h"
#include "core/tokenizer/load_tokenizer.h"
#include "core/tokenizer/split_pattern.h"

namespace farstate {
namespace {

// GPT-2's words of an ASCII text and plain merging, on strings.
class DirectEncoding {
 public:
  explicit DirectEncoding(const nlohmann::json& json) : vocabulary_(json["model"]["vocab"]) {
    for (const auto& token : json["added_tokens"]) added_[token["content"]] = token["id"];
    int rank = 0;
    for (const auto& merge : json["model"]["merges"]) {
      if (merge.is_array()) {
        ranks_[{merge[0], merge[1]}] = rank++;
      } else {
        const auto line = merge.get<std::string>();
        const size_t space = line.find(' ');
        ranks_[{line.substr(0, space), line.substr(space + 1)}] = rank++;
      }
    }
  }

  std::vector<int32_t> encode(const std::string& text) const {
    std::vector<int32_t> ids;
    std::string between;
    for (size_t at = 0; at < text.size();) {
      const std::string* longest = nullptr;
      for (const auto& [content, id] : added_) {
        if (text.compare(at, content.size(), content) != 0) continue;
        if (longest == nullptr || content.size() > longest->size()) longest = &content;
      }
      if (longest == nullptr) {
        between += text[at++];
        continue;
      }
      encode_words(between, ids);
      between.clear();
      ids.push_back(added_.at(*longest));
      at += longest->size();
    }
    encode_words(between, ids);
    return ids;
  }

 private:
  static bool space(char c) { return is_white_space(static_cast<unsigned char>(c)); }
  static bool letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
  static bool digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
  static bool other(char c) { return !space(c) && !letter(c) && !digit(c); }

  static size_t word_end(const std::string& text, size_t at) {
    for (const char* ending : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"}) {
      const std::string word = ending;
      if (text.compare(at, word.size(), word) == 0) return at + word.size();
    }
    const size_t first = text[at] == ' ' && at + 1 < text.size() ? at + 1 : at;
    for (bool (*kind)(char) : {letter, digit, other}) {
      size_t end = first;
      while (end < text.size() && kind(text[end])) ++end;
      if (end > first) return end;
    }
    size_t end = at;
    while (end < text.size() && space(text[end])) ++end;
    return end < text.size() && end > at + 1 ? end - 1 : end;
  }

  void encode_words(const std::string& text, std::vector<int32_t>& ids) const {
    for (size_t at = 0; at < text.size();) {
      const size_t end = word_end(text, at);
      std::vector<std::string> tokens;
      for (; at < end; ++at) tokens.push_back(byte_character(static_cast<unsigned char>(text[at])));
      merge(tokens);
      for (const std::string& token : tokens) ids.push_back(vocabulary_.at(token));
    }
  }

  void merge(std::vector<std::string>& tokens) const {
    while (true) {
      int best_rank = std::numeric_limits<int>::max();
      size_t best = 0;
      for (size_t i = 0; i + 1 < tokens.size(); ++i) {
        const auto found = ranks_.find({tokens[i], tokens[i + 1]});
        if (found == ranks_.end() || found->second >= best_rank) continue;
        best_rank = found->second;
        best = i;
      }
      if (best_rank == std::numeric_limits<int>::max()) return;
      tokens[best] += tokens[best + 1];
      tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(best) + 1);
    }
  }

  std::map<std::string, int32_t> vocabulary_, added_;
  std::map<std::pair<std::string, std::string>, int> ranks_;
};

// The words or characters of an ASCII text (core/tokenizer/word_vocabulary.h), one by one.
std::vector<int32_t> encode_words_directly(const nlohmann::json& json, const std::string& text) {
  const std::map<std::string, int32_t> vocabulary = json["model"]["vocab"];
  const bool characters = json["pre_tokenizer"]["pattern"]["Regex"] == kCharacterPattern;
  const auto letter = [&](size_t at) {
    return !characters && at < text.size() && std::isalpha(static_cast<unsigned char>(text[at])) != 0;
  };
  std::vector<int32_t> ids;
  for (size_t at = 0; at < text.size();) {
    size_t end = at + 1;
    if (letter(at) || (text[at] == ' ' && letter(end))) {
      while (letter(end)) ++end;
    }
    const auto found = vocabulary.find(text.substr(at, end - at));
    const std::string unknown = json["model"]["unk_token"];
    ids.push_back(found == vocabulary.end() ? vocabulary.at(unknown) : found->second);
    at = end;
  }
  return ids;
}

std::vector<int32_t> encode_directly(const nlohmann::json& json, const std::string& text) {
  const bool words = json["model"].value("type", "BPE") == "WordLevel";
  return words ? encode_words_directly(json, text) : DirectEncoding(json).encode(text);
}

std::string ascii_of(std::string_view text) {
  std::string ascii;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x80) ascii += c;
  }
  return ascii;
}

void time_encoding(const Tokenizer& tokenizer, std::string_view text, const char* name) {
  constexpr size_t kPiece = size_t{256} << 10;  // as texts are read (core/data)
  double least = std::numeric_limits<double>::infinity(), spent = 0;
  std::vector<int32_t> ids;
  size_t count = 0;
  for (int runs = 0; spent < 2 || runs < 3; ++runs) {
    const std::clock_t begin = std::clock();  // of this process alone, whatever else runs
    count = 0;
    for (size_t at = 0; at < text.size();) {
      std::string_view piece = text.substr(at, kPiece);
      const size_t cut = at + piece.size() < text.size() ? tokenizer.last_cut(piece) : 0;
      if (cut > 0) piece = piece.substr(0, cut);
      ids.clear();
      tokenizer.encode(piece, ids);
      count += ids.size();
      at += piece.size();
    }
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    least = std::min(least, seconds);
    spent += seconds;
  }
  const auto bytes = static_cast<double>(text.size());
  fmt::print("{:<28} {:>8.1f} MB {:>12} tokens {:>6.2f} bytes/token {:>8.1f} MB/s\n", name, bytes / 1e6,
             count, bytes / static_cast<double>(count), bytes / least / 1e6);
}

int run(const std::string& tokenizer_path, const std::string& text_path) {
  constexpr size_t kCompared = 200000, kTimed = 32000000;
  const auto tokenizer = load_tokenizer(tokenizer_path);
  const MappedFile text(text_path);
  const std::string sample = ascii_of(text.bytes().substr(0, kCompared));
  std::vector<int32_t> ids;
  tokenizer->encode(sample, ids);
  if (ids != encode_directly(nlohmann::json::parse(read_file(tokenizer->name())), sample)) {
    fmt::print("{} gives other ids than the direct encoding (which knows GPT-2's words and our own "
               "only): not timed.\n",
               tokenizer_path);
    return 1;
  }
  fmt::print("{}: {} tokens, equal to the direct encoding on {} bytes\n", tokenizer->name(),
             tokenizer->vocabulary(), sample.size());
  time_encoding(*tokenizer, text.bytes().substr(0, kTimed), "the text");
  const std::string ascii = ascii_of(text.bytes().substr(0, kTimed));
  time_encoding(*tokenizer, ascii, "its ASCII characters");
  return 0;
}

}  // namespace
}  // namespace farstate

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "tokenizer_bench tokenizer.json text\n");
    return 2;
  }
  try {
    return farstate::run(argv[1], argv[2]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
