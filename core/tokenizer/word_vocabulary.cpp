// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/word_vocabulary.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <unordered_map>
#include <unordered_set>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/base/stop.h"
#include "core/base/utf8.h"
#include "core/tokenizer/load_tokenizer.h"
#include "core/tokenizer/split_pattern.h"

namespace farstate {
namespace {

using Json = nlohmann::ordered_json;

std::string pattern_of(bool characters) { return characters ? kCharacterPattern : kWordPattern; }

std::string kind_of(bool characters) { return characters ? "characters" : "words"; }

class PieceCutter {
 public:
  explicit PieceCutter(bool characters)
      : pattern_(pattern_of(characters), kind_of(characters)), searcher_(pattern_) {}

  // Our patterns leave nothing between two matches, and match nothing empty.
  template <typename Take>
  void for_each_piece(std::string_view text, const Take& take) {
    constexpr int64_t kStopCheck = 4096;
    size_t begin = 0, end = 0;
    while (end < text.size() && searcher_.find(text, end, begin, end)) {
      if (++count_ % kStopCheck == 0) throw_if_stopped();
      take(text.substr(begin, end - begin));
    }
  }

 private:
  const SplitPattern pattern_;
  SplitPattern::Searcher searcher_;
  int64_t count_ = 0;
};

void check_pieces(const WordVocabulary& vocabulary) {
  const auto refuse = [](const std::string& piece, const std::string& why) {
    throw Error(ErrorKind::kBadInput,
                fmt::format("The piece {} can't be a token: {}.", short_text(Json(piece)), why));
  };
  PieceCutter cutter(vocabulary.characters);
  std::unordered_set<std::string_view> seen;
  for (const std::string& piece : vocabulary.pieces) {
    if (piece.empty()) refuse(piece, "it is empty");
    if (count_invalid_utf8(piece) > 0) refuse(piece, "it is no UTF-8");
    if (!seen.insert(piece).second) refuse(piece, "it comes twice");
    if (piece == vocabulary.unknown) continue;
    cutter.for_each_piece(piece, [&](std::string_view part) {
      if (part == piece) return;
      refuse(piece, fmt::format("texts are cut into {}, so that {} begins a piece of its own",
                                kind_of(vocabulary.characters), short_text(Json(part))));
    });
  }
  if (count_invalid_utf8(vocabulary.unknown) > 0) refuse(vocabulary.unknown, "it is no UTF-8");
}

}  // namespace

std::string to_tokenizer_json(const WordVocabulary& vocabulary) {
  check_pieces(vocabulary);
  Json words = Json::object();
  auto& entries = words.get_ref<Json::object_t&>();
  const auto add = [&](const std::string& piece) {
    const size_t id = entries.size();
    entries.emplace_back(piece, id);
  };
  for (const std::string& piece : vocabulary.pieces) add(piece);
  const bool among = std::find(vocabulary.pieces.begin(), vocabulary.pieces.end(),
                               vocabulary.unknown) != vocabulary.pieces.end();
  if (!vocabulary.unknown.empty() && !among) add(vocabulary.unknown);
  // The package asks for a name of the unknown token even where there is none.
  const std::string unknown = vocabulary.unknown.empty() ? kUnknownPiece : vocabulary.unknown;
  const Json split = {{"type", "Split"},
                      {"pattern", {{"Regex", pattern_of(vocabulary.characters)}}},
                      {"behavior", "Isolated"},
                      {"invert", false}};
  const Json json = {{"version", "1.0"},
                     {"truncation", nullptr},
                     {"padding", nullptr},
                     {"added_tokens", Json::array()},
                     {"normalizer", nullptr},
                     {"pre_tokenizer", split},
                     {"post_processor", nullptr},
                     {"decoder", {{"type", "Fuse"}}},
                     {"model", {{"type", "WordLevel"}, {"vocab", words}, {"unk_token", unknown}}}};
  return json.dump(2) + "\n";
}

void save_tokenizer(const std::string& folder, const WordVocabulary& vocabulary) {
  const std::filesystem::path to = folder;
  std::error_code ignored;
  if (std::filesystem::exists(to / kTokenizerFile, ignored)) {
    throw Error(ErrorKind::kBadUsage,
                fmt::format("{} holds a tokenizer.json already; name another folder, or delete it.",
                            folder));
  }
  const std::string content = to_tokenizer_json(vocabulary);
  make_folder(folder);
  // Without it AutoTokenizer takes the tokenizer that Mamba-2 models usually have, and other ids.
  write_file_atomic((to / kTokenizerConfigFile).string(),
                    Json{{"tokenizer_class", "PreTrainedTokenizerFast"}}.dump(2) + "\n");
  write_file_atomic((to / kTokenizerFile).string(), content);
}

WordVocabulary vocabulary_of_text(std::string_view text, bool characters, int64_t most_pieces) {
  if (most_pieces < 0 || most_pieces == 1) {
    throw Error(ErrorKind::kBadUsage,
                fmt::format("A vocabulary of {} pieces has no room for one beside the unknown one; "
                            "give 2 or more, or 0 for all.",
                            most_pieces));
  }
  std::string valid;
  if (count_invalid_utf8(text) > 0) {
    append_valid_utf8(text, valid);
    text = valid;
  }
  struct Counted {
    std::string_view piece;
    int64_t count = 0;
  };
  std::vector<Counted> counted;  // in the order of their first coming
  std::unordered_map<std::string_view, size_t> place;
  PieceCutter(characters).for_each_piece(text, [&](std::string_view piece) {
    const auto [entry, is_new] = place.emplace(piece, counted.size());
    if (is_new) counted.push_back({piece, 0});
    ++counted[entry->second].count;
  });
  std::stable_sort(counted.begin(), counted.end(),
                   [](const Counted& a, const Counted& b) { return a.count > b.count; });
  if (most_pieces > 0) counted.resize(std::min(counted.size(), static_cast<size_t>(most_pieces) - 1));
  WordVocabulary vocabulary;
  vocabulary.characters = characters;
  vocabulary.unknown = kUnknownPiece;
  for (const Counted& item : counted) vocabulary.pieces.emplace_back(item.piece);
  return vocabulary;
}

}  // namespace farstate
