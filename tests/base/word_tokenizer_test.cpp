// SPDX-License-Identifier: GPL-3.0-or-later
// Against the files and the ids of the tokenizers package (tools/make_tokenizer_golden.py).
#include "core/tokenizer/word_tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/tokenizer/load_tokenizer.h"
#include "core/tokenizer/word_vocabulary.h"
#include "tests/support/temp_folder.h"

namespace farstate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::read_all;
using testing::TempFolder;
using Json = nlohmann::ordered_json;

const std::string kFolder = FARSTATE_GOLDEN_DIR "/tokenizer/";
constexpr const char* kFiles[] = {"words", "characters", "marked_words"};

std::vector<int32_t> encode(const Tokenizer& tokenizer, std::string_view text) {
  std::vector<int32_t> ids;
  tokenizer.encode(text, ids);
  return ids;
}

std::string decode(const Tokenizer& tokenizer, const std::vector<int32_t>& ids) {
  std::string text;
  for (const int32_t id : ids) text += tokenizer.bytes(id);
  return text;
}

std::vector<std::string> pieces(const Tokenizer& tokenizer, std::string_view text) {
  std::vector<std::string> all;
  for (const int32_t id : encode(tokenizer, text)) all.emplace_back(tokenizer.bytes(id));
  return all;
}

std::string from_hex(const std::string& hex) {
  std::string bytes;
  for (size_t i = 0; i < hex.size(); i += 2) {
    bytes.push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

std::vector<std::string> texts() {
  std::vector<std::string> all;
  for (const Json& item : Json::parse(read_all(kFolder + "cases.json"))) {
    all.push_back(from_hex(item["bytes"]));
  }
  return all;
}

std::shared_ptr<const Tokenizer> make(const WordVocabulary& vocabulary) {
  return parse_tokenizer(to_tokenizer_json(vocabulary), "made.json");
}

std::string message_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(WordTokenizer, GivesTheReferencesIds) {
  const Json cases = Json::parse(read_all(kFolder + "cases.json"));
  ASSERT_GT(cases.size(), 50U);
  for (const char* name : kFiles) {
    const auto tokenizer = load_tokenizer(kFolder + name + ".json");
    for (const Json& item : cases) {
      EXPECT_EQ(encode(*tokenizer, from_hex(item["bytes"])), item[name].get<std::vector<int32_t>>())
          << name << " " << item["bytes"];
    }
  }
}

// A cut of a beginning must hold whatever follows it, so each beginning of each text is asked.
TEST(WordTokenizer, AnyCutGivesTheIdsOfTheWhole) {
  for (const char* name : kFiles) {
    const auto tokenizer = load_tokenizer(kFolder + name + ".json");
    int64_t cuts = 0;
    for (const std::string& text : texts()) {
      const auto whole = encode(*tokenizer, text);
      for (size_t end = 1; end <= text.size(); ++end) {
        const size_t cut = tokenizer->last_cut(std::string_view(text).substr(0, end));
        ASSERT_LE(cut, end);
        if (cut == 0) continue;
        ++cuts;
        std::vector<int32_t> parts = encode(*tokenizer, std::string_view(text).substr(0, cut));
        tokenizer->encode(std::string_view(text).substr(cut), parts);
        EXPECT_EQ(parts, whole) << name << " at " << cut << " of " << text;
      }
    }
    // Of "marked_words" an added token takes the white space after it, so nowhere is safe.
    EXPECT_EQ(cuts > 0, std::string(name) != "marked_words") << name;
  }
}

TEST(WordTokenizer, TextsWithoutSpacesAreCutToo) {
  const auto words = load_tokenizer(kFolder + "words.json");
  const auto characters = load_tokenizer(kFolder + "characters.json");
  EXPECT_EQ(words->last_cut("10110110"), 8U);
  EXPECT_EQ(words->last_cut("a|b|long"), 4U);
  EXPECT_EQ(words->last_cut("a "), 1U) << "the space may begin a word";
  EXPECT_EQ(words->last_cut("1 é"), 1U);
  EXPECT_EQ(words->last_cut("long"), 0U);
  EXPECT_EQ(characters->last_cut("long"), 4U);
  EXPECT_EQ(characters->last_cut("caf\xC3"), 3U) << "the character is not whole";
  EXPECT_EQ(characters->last_cut("caf\xC3\xA9"), 5U);
}

TEST(WordTokenizer, PiecesJoinedAreTheTextAgain) {
  const WordVocabulary words = vocabulary_of_text(
      "Where is the kettle? In the Straße,\n\t two  rooms\r\n away |<key>| 0123456789 é\u0301 日本", false, 0);
  WordVocabulary characters;
  characters.characters = true;
  for (const char* c : {"a", "é", "\u0301", " ", "\n", "👩", "\u200d", "0", "|"}) characters.pieces.emplace_back(c);
  for (const WordVocabulary& vocabulary : {words, characters}) {
    const auto tokenizer = make(vocabulary);
    Rng rng(7, RngStream::kMeasure);
    for (int round = 0; round < 200; ++round) {
      // Words are kept apart, since two of them in a row are one that the vocabulary has not.
      std::string text;
      for (int i = 0; i < 40; ++i) {
        const auto chosen = rng.below(static_cast<int64_t>(vocabulary.pieces.size()));
        const std::string& piece = vocabulary.pieces[static_cast<size_t>(chosen)];
        const bool would_join = !text.empty() && !vocabulary.characters &&
                                std::isdigit(static_cast<unsigned char>(piece.front())) == 0;
        text += (would_join ? "|" : "") + piece;
      }
      EXPECT_EQ(decode(*tokenizer, encode(*tokenizer, text)), text);
    }
  }
}

TEST(WordTokenizer, ANumberHasTheSameDigitsWhereverItStands) {
  const auto tokenizer = make(vocabulary_of_text("key is 0123456789: <>", false, 0));
  EXPECT_THAT(pieces(*tokenizer, "48213"), ElementsAre("4", "8", "2", "1", "3"));
  EXPECT_THAT(pieces(*tokenizer, "key is 48213:"),
              ElementsAre("key", " is", " ", "4", "8", "2", "1", "3", ":"));
  EXPECT_THAT(pieces(*tokenizer, "<48213>"), ElementsAre("<", "4", "8", "2", "1", "3", ">"));
}

TEST(WordTokenizer, WhatHasNoTokenIsUnknownOrRefusedByName) {
  WordVocabulary vocabulary = vocabulary_of_text("the kettle boils", false, 0);
  const auto open = make(vocabulary);
  EXPECT_EQ(open->unknown(), 3);
  EXPECT_THAT(pieces(*open, "the zebra boils"), ElementsAre("the", "[UNK]", " boils"));
  EXPECT_EQ(open->bytes(-1), "");
  EXPECT_EQ(open->bytes(open->vocabulary()), "");

  vocabulary.unknown.clear();
  const auto closed = make(vocabulary);
  EXPECT_EQ(closed->unknown(), -1);
  EXPECT_EQ(closed->vocabulary(), 3);
  const std::string message = message_of([&] { encode(*closed, "the zebra boils"); });
  EXPECT_THAT(message, HasSubstr("\" zebra\""));
  EXPECT_THAT(message, HasSubstr("made.json"));
  EXPECT_THAT(pieces(*closed, "the kettle"), ElementsAre("the", " kettle")) << "and it goes on";
}

TEST(WordTokenizer, ManyThreadsMayEncode) {
  const auto tokenizer = load_tokenizer(kFolder + "words.json");
  const std::vector<std::string> all = texts();
  std::vector<std::vector<int32_t>> expected;
  for (const std::string& text : all) expected.push_back(encode(*tokenizer, text));
  std::vector<int> wrong(4, 0);
  {
    std::vector<std::jthread> threads;
    for (int& count : wrong) {
      threads.emplace_back([&] {
        for (size_t i = 0; i < all.size(); ++i) count += encode(*tokenizer, all[i]) != expected[i];
      });
    }
  }
  EXPECT_THAT(wrong, ElementsAre(0, 0, 0, 0));
}

TEST(WordTokenizer, RefusesWhatItDoesNotDoByName) {
  const Json good = Json::parse(read_all(kFolder + "words.json"));
  const auto message = [&](const std::function<void(Json&)>& change) {
    Json json = good;
    change(json);
    return message_of([&] { parse_tokenizer(json.dump(), "t.json"); });
  };
  EXPECT_EQ(message([](Json&) {}), "nothing was thrown");
  EXPECT_EQ(message([](Json& j) { j["model"].erase("unk_token"); }), "nothing was thrown");
  EXPECT_THAT(message([](Json& j) { j["pre_tokenizer"] = nullptr; }), HasSubstr("\"Split\""));
  EXPECT_THAT(message([](Json& j) { j["pre_tokenizer"] = {{"type", "WhitespaceSplit"}}; }),
              HasSubstr("WhitespaceSplit"));
  EXPECT_THAT(message([](Json& j) { j["pre_tokenizer"] = {{"type", "ByteLevel"}}; }),
              HasSubstr("ByteLevel"));
  EXPECT_THAT(message([](Json& j) { j["pre_tokenizer"]["behavior"] = "Removed"; }), HasSubstr("Removed"));
  EXPECT_THAT(message([](Json& j) { j["pre_tokenizer"]["invert"] = true; }), HasSubstr("invert"));
  EXPECT_THAT(message([](Json& j) { j["pre_tokenizer"]["pattern"] = {{"String", " "}}; }),
              HasSubstr("Regex"));
  EXPECT_THAT(message([](Json& j) { j["normalizer"] = {{"type", "Lowercase"}}; }), HasSubstr("Lowercase"));
  EXPECT_THAT(message([](Json& j) { j["model"]["unk_token"] = 3; }), HasSubstr("unk_token"));
  EXPECT_THAT(message([](Json& j) { j["model"]["vocab"][" the"] = -1; }), HasSubstr("-1"));
  EXPECT_THAT(message([](Json& j) { j["model"]["vocab"][" the"] = 0; }), HasSubstr("same id"));
  EXPECT_THAT(message([](Json& j) { j["model"]["vocab"][""] = 900; }), HasSubstr("without characters"));
  EXPECT_THAT(message([](Json& j) { j["model"]["vocab"] = Json::object(); }), HasSubstr("empty"));
  EXPECT_THAT(message([](Json& j) { j["model"].erase("vocab"); }), HasSubstr("vocab"));
}

// What is written is what the package writes of the same pieces, the ids in the same order too.
TEST(WordVocabulary, IsThatOfTheReference) {
  std::string text = read_all(FARSTATE_GOLDEN_DIR "/../../LICENSE");
  for (int i = 0; i < 40; ++i) text += "Straße, naïve café, Ελλάδα, Привет, 日本語, 한국어. ";
  EXPECT_EQ(Json::parse(to_tokenizer_json(vocabulary_of_text(text, false, 200))),
            Json::parse(read_all(kFolder + "words.json")));
  EXPECT_EQ(Json::parse(to_tokenizer_json(vocabulary_of_text(text, true, 0))),
            Json::parse(read_all(kFolder + "characters.json")));
}

TEST(WordVocabulary, TheMostFrequentComeFirst) {
  const WordVocabulary all = vocabulary_of_text("b a a c c", false, 0);
  EXPECT_THAT(all.pieces, ElementsAre(" a", " c", "b"));
  EXPECT_EQ(all.unknown, "[UNK]");
  EXPECT_THAT(vocabulary_of_text("b a a c c", false, 3).pieces, ElementsAre(" a", " c"));
  EXPECT_THAT(vocabulary_of_text("abba!\xFF", true, 0).pieces, ElementsAre("a", "b", "!", "\uFFFD"));
  EXPECT_TRUE(vocabulary_of_text("", false, 0).pieces.empty());
  EXPECT_THROW(vocabulary_of_text("a", false, 1), Error);
  EXPECT_THROW(vocabulary_of_text("a", false, -5), Error);
}

TEST(WordVocabulary, RefusesPiecesThatNoTextGives) {
  const auto message = [](const std::vector<std::string>& pieces, bool characters = false) {
    return message_of([&] { to_tokenizer_json({pieces, "", characters}); });
  };
  EXPECT_EQ(message({" kettle", "kettle", "1", " ", "\n", "é"}), "nothing was thrown");
  EXPECT_THAT(message({"48213"}), HasSubstr("\"4\" begins"));
  EXPECT_THAT(message({"the kettle"}), HasSubstr("\"the\" begins"));
  EXPECT_THAT(message({"ab"}, true), HasSubstr("characters"));
  EXPECT_THAT(message({"a", "a"}), HasSubstr("twice"));
  EXPECT_THAT(message({""}), HasSubstr("empty"));
  EXPECT_THAT(message({"\xFF"}), HasSubstr("no UTF-8"));
  const auto unknown_first = make({{"<unknown>", "a"}, "<unknown>", false});
  EXPECT_EQ(unknown_first->unknown(), 0);
  EXPECT_EQ(unknown_first->vocabulary(), 2);
}

TEST(WordVocabulary, ASavedOneIsLoadedAndNotWrittenOver) {
  const TempFolder folder;
  const std::string to = folder.file("new/tokenizer");
  save_tokenizer(to, {{"a", " b"}, "[UNK]", false});
  EXPECT_THAT(pieces(*load_tokenizer(to), "a b c"), ElementsAre("a", " b", "[UNK]"));
  EXPECT_EQ(Json::parse(read_all(to + "/tokenizer_config.json"))["tokenizer_class"],
            "PreTrainedTokenizerFast");
  const std::string before = read_all(to + "/tokenizer.json");
  EXPECT_THAT(message_of([&] { save_tokenizer(to, {{"x"}, "", false}); }), HasSubstr("already"));
  EXPECT_EQ(read_all(to + "/tokenizer.json"), before);
}

}  // namespace
}  // namespace farstate
