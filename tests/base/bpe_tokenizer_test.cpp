// SPDX-License-Identifier: GPL-3.0-or-later
// Against the ids of the tokenizers package (tools/make_tokenizer_golden.py).
#include "core/tokenizer/bpe_tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/tokenizer/byte_level.h"
#include "core/tokenizer/load_tokenizer.h"
#include "tests/support/temp_folder.h"

namespace farstate {
namespace {

using ::testing::HasSubstr;
using testing::read_all;
using testing::TempFolder;
using Json = nlohmann::json;

const std::string kFolder = FARSTATE_GOLDEN_DIR "/tokenizer/";

std::vector<int32_t> encode(const Tokenizer& tokenizer, std::string_view text) {
  std::vector<int32_t> ids;
  tokenizer.encode(text, ids);
  return ids;
}

std::string from_hex(const std::string& hex) {
  std::string bytes;
  for (size_t i = 0; i < hex.size(); i += 2) {
    bytes.push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

TEST(BpeTokenizer, GivesTheReferencesIds) {
  const Json cases = Json::parse(read_all(kFolder + "cases.json"));
  ASSERT_GT(cases.size(), 50U);
  for (const char* name : {"neox", "flags", "split"}) {
    const auto tokenizer = load_tokenizer(kFolder + name + ".json");
    for (const Json& item : cases) {
      EXPECT_EQ(encode(*tokenizer, from_hex(item["bytes"])), item[name].get<std::vector<int32_t>>())
          << name << " " << item["bytes"];
    }
  }
}

TEST(BpeTokenizer, AnyCutGivesTheIdsOfTheWhole) {
  const Json cases = Json::parse(read_all(kFolder + "cases.json"));
  for (const char* name : {"neox", "flags", "split"}) {
    const auto tokenizer = load_tokenizer(kFolder + name + ".json");
    int cuts = 0;
    for (const Json& item : cases) {
      const std::string text = from_hex(item["bytes"]);
      const auto whole = encode(*tokenizer, text);
      for (size_t end = text.size(); end > 0;) {
        end = tokenizer->last_cut(std::string_view(text).substr(0, end));
        if (end == 0) break;
        std::vector<int32_t> parts;
        tokenizer->encode(std::string_view(text).substr(0, end), parts);
        tokenizer->encode(std::string_view(text).substr(end), parts);
        EXPECT_EQ(parts, whole) << name << " at " << end << " of " << item["bytes"];
        ++cuts;
      }
    }
    // Of "flags" an added token takes the white space after it, so nowhere is safe.
    EXPECT_EQ(cuts > 0, std::string(name) != "flags") << name;
  }
}

TEST(BpeTokenizer, DecodingGivesTheTextBack) {
  const auto tokenizer = load_tokenizer(kFolder + "neox.json");
  const std::string text = "Straße 日本語 👩\u200d👧  <|endoftext|>\n naïve";
  TextDecoder decoder(*tokenizer);
  std::string out;
  for (const int32_t id : encode(*tokenizer, text)) {
    const std::string piece = decoder.push(id);
    EXPECT_EQ(count_invalid_utf8(piece), 0);
    out += piece;
  }
  EXPECT_EQ(out + decoder.finish(), text);
  EXPECT_EQ(tokenizer->bytes(-1), "");
  EXPECT_EQ(tokenizer->bytes(tokenizer->vocabulary()), "");
}

TEST(BpeTokenizer, VeryLongWordsAreMergedLikeShortOnes) {
  const auto tokenizer = load_tokenizer(kFolder + "neox.json");
  // Merges don't see the length of a word: the middle of a long one looks like that of a short one.
  const auto ids = encode(*tokenizer, std::string(300000, 'x'));
  std::string bytes;
  for (const int32_t id : ids) bytes += tokenizer->bytes(id);
  EXPECT_EQ(bytes, std::string(300000, 'x'));
  EXPECT_EQ(encode(*tokenizer, std::string(200000, ' ') + "x").size(), 200000 / 24 + 2U);
  EXPECT_EQ(encode(*tokenizer, std::string(100000, '\n') + "x").back(), encode(*tokenizer, "x").back());
}

TEST(BpeTokenizer, RefusesWhatItDoesNotDoByName) {
  const TempFolder folder;
  const Json good = Json::parse(read_all(kFolder + "neox.json"));
  const auto message = [&](const std::function<void(Json&)>& change) -> std::string {
    Json json = good;
    change(json);
    const std::string path = folder.write("tokenizer.json", json.dump());
    try {
      load_tokenizer(path);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
      EXPECT_THAT(error.what(), HasSubstr(path));
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message([](Json&) {}), "accepted");
  EXPECT_THAT(message([](Json& j) { j = Json::array(); }), HasSubstr("must be an object"));
  EXPECT_THAT(message([](Json& j) { j.erase("model"); }), HasSubstr("no \"model\""));
  for (const char* type : {"WordPiece", "Unigram"}) {
    EXPECT_THAT(message([&](Json& j) { j["model"]["type"] = type; }), HasSubstr(type));
  }
  EXPECT_THAT(message([](Json& j) { j["normalizer"]["type"] = "NFKC"; }), HasSubstr("NFKC"));
  EXPECT_THAT(message([](Json& j) { j["pre_tokenizer"]["type"] = "Metaspace"; }), HasSubstr("Metaspace"));
  EXPECT_THAT(message([](Json& j) { j["pre_tokenizer"] = nullptr; }), HasSubstr("pre_tokenizer"));
  EXPECT_THAT(message([](Json& j) { j["model"]["byte_fallback"] = true; }), HasSubstr("byte_fallback"));
  EXPECT_THAT(message([](Json& j) { j["model"]["dropout"] = 0.1; }), HasSubstr("dropout"));
  EXPECT_THAT(message([](Json& j) { j["model"]["end_of_word_suffix"] = "</w>"; }), HasSubstr("</w>"));
  EXPECT_THAT(message([](Json& j) { j["post_processor"] = {{"type", "RobertaProcessing"}}; }),
              HasSubstr("RobertaProcessing"));
  EXPECT_THAT(message([](Json& j) { j["model"]["vocab"]["a"] = -1; }), HasSubstr("-1"));
  EXPECT_THAT(message([](Json& j) { j["model"]["vocab"]["a"] = 1ULL << 63; }), HasSubstr("whole number"));
  EXPECT_THAT(message([](Json& j) { j["model"]["vocab"]["a"] = 1.5; }), HasSubstr("1.5"));
  EXPECT_THAT(message([](Json& j) { j["model"]["vocab"]["a"] = j["model"]["vocab"]["b"]; }),
              HasSubstr("same id"));
  EXPECT_THAT(message([](Json& j) { j["model"]["vocab"].erase("a"); }), HasSubstr("0x61"));
  EXPECT_THAT(message([](Json& j) { j["model"]["merges"].push_back("a"); }), HasSubstr("must be \"a b\""));
  EXPECT_THAT(message([](Json& j) { j["model"]["merges"].push_back("zq zq"); }), HasSubstr("zq"));
  EXPECT_THAT(message([](Json& j) { j["model"]["merges"] = 3; }), HasSubstr("must be an array"));
  EXPECT_THAT(message([](Json& j) { j["added_tokens"][0]["id"] = 5; }), HasSubstr("<|endoftext|>"));
  EXPECT_THAT(message([](Json& j) { j["added_tokens"][0].erase("content"); }), HasSubstr("content"));
  const auto with_pattern = [&](const char* pattern) {
    return message([&](Json& j) {
      const Json byte_level = {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}};
      j["pre_tokenizer"] = {{"type", "Sequence"}, {"pretokenizers", Json::array({
          {{"type", "Split"}, {"pattern", {{"Regex", pattern}}}, {"behavior", "Isolated"}}, byte_level})}};
    });
  };
  EXPECT_EQ(with_pattern("\\p{N}{1,3}|[^\\s\\p{L}]+"), "accepted");
  EXPECT_THAT(with_pattern("(a"), HasSubstr("no regular expression"));
  EXPECT_THAT(with_pattern("\\w+"), HasSubstr("\\w"));
  EXPECT_THAT(with_pattern("[a[bc]]"), HasSubstr("class within a class"));
  EXPECT_THAT(with_pattern("^a"), HasSubstr("anchor"));

  const std::string whole = read_all(kFolder + "neox.json");
  for (size_t length = 0; length < whole.size(); length += 997) {
    const std::string path = folder.write("cut.json", whole.substr(0, length));
    EXPECT_THROW(load_tokenizer(path), Error) << length;
  }
  EXPECT_THROW(load_tokenizer(folder.file("none.json")), Error);
}

TEST(BpeTokenizer, FingerprintIsThatOfTheContent) {
  const TempFolder folder;
  const std::string content = read_all(kFolder + "neox.json");
  const auto original = load_tokenizer(kFolder + "neox.json");
  folder.write("tokenizer.json", content);
  EXPECT_EQ(load_tokenizer(folder.path())->fingerprint(), original->fingerprint());
  folder.write("tokenizer.json", content + " ");
  EXPECT_NE(load_tokenizer(folder.path())->fingerprint(), original->fingerprint());
}

TEST(Utf8, InvalidBytesBecomeOneReplacementPerMaximalSubpart) {
  // Python: bytes.decode("utf-8", errors="replace").
  const auto read = [](std::string_view bytes) {
    std::string out;
    append_valid_utf8(bytes, out);
    return out;
  };
  const std::string r(kReplacementCharacter);
  EXPECT_EQ(read("\xF0\x90\x80" "A"), r + "A");
  EXPECT_EQ(read("\xE0\x80\xAF"), r + r + r);
  EXPECT_EQ(read("\xED\xA0\x80"), r + r + r);
  EXPECT_EQ(read("\xF4\x90\x80\x80"), r + r + r + r);
  EXPECT_EQ(read("a\xE2\x82"), "a" + r);
  EXPECT_EQ(read("\xE2\x28\xA1"), r + "(" + r);
  EXPECT_EQ(count_invalid_utf8("abcdefghijk\xFF\xC3\xA9\xC3"), 2);
}

}  // namespace
}  // namespace farstate
