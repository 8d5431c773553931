// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/facts_text.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "core/data/corpus.h"
#include "core/data/evidence.h"
#include "core/tokenizer/byte_tokenizer.h"
#include "core/tokenizer/load_tokenizer.h"
#include "core/tokenizer/word_vocabulary.h"

namespace farstate {
namespace {

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::vector<std::string> lines_of(const GeneratedText& text) {
  std::istringstream in(text.text);
  std::vector<std::string> lines;
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "") << "the first line has a line feed before it, as the others";
  while (std::getline(in, line)) lines.push_back(line);
  return lines;
}

std::shared_ptr<const Tokenizer> words() {
  WordVocabulary vocabulary = vocabulary_of_text(facts_text(1, 100000).text, false, 0);
  vocabulary.unknown.clear();  // closed: another word is refused
  return parse_tokenizer(to_tokenizer_json(vocabulary), "words");
}

// The kind of a token: 'n' a line feed, 'R' "Room", ' ' a word.
char kind(const Tokenizer& tokenizer, int64_t id) {
  const char first = tokenizer.bytes(id)[0];
  return first == '\n' ? 'n' : first;
}

TEST(FactsText, IsTheSameTextOnEveryMachine) {
  // Embedded models were trained on exactly these bytes: a change here asks for new ones.
  const GeneratedText text = facts_text(7, 1 << 20);
  uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a
  for (const char c : text.text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  EXPECT_EQ(hash, 0x5c513990b2df7322ULL);
  EXPECT_NE(text.text, facts_text(8, 1 << 20).text);
}

TEST(FactsText, ShorterIsAPrefixOfLonger) {
  const GeneratedText longer = facts_text(3, 50000);
  const GeneratedText shorter = facts_text(3, 20000);
  EXPECT_EQ(shorter.text, longer.text.substr(0, shorter.text.size()));
  EXPECT_LE(shorter.text.size(), 20000U);
  ASSERT_LE(shorter.known.size(), longer.known.size());
  EXPECT_EQ(shorter.known.back().end, longer.known[shorter.known.size() - 1].end);
}

TEST(FactsText, ThingsKeepTheirLooksWithinARoomOnly) {
  std::map<std::string, std::set<std::string>> looks_of;
  int64_t pairs = 0, news = 0;
  for (const std::string& line : lines_of(facts_text(1, 1 << 20))) {
    const std::vector<std::string> words = words_of(line);
    ASSERT_EQ(words[0], "Room");
    const auto count = static_cast<int64_t>(words.size() - 1) / 2;
    ASSERT_EQ(words.size(), static_cast<size_t>(2 * count + 1));
    EXPECT_GE(count, kFewestPairs);
    EXPECT_LE(count, kMostPairs);
    std::map<std::string, std::string> room;
    for (size_t i = 1; i < words.size(); i += 2) {
      const auto [known, is_new] = room.emplace(words[i], words[i + 1]);
      EXPECT_EQ(known->second, words[i + 1]) << line;
      looks_of[words[i]].insert(words[i + 1]);
      news += is_new ? 1 : 0;
      ++pairs;
    }
  }
  EXPECT_EQ(looks_of.size(), 32U);
  for (const auto& [thing, looks] : looks_of) EXPECT_EQ(looks.size(), 64U) << thing;
  // A room's first pair is new, and 45 % of the 33 others on average; few rooms name all 32 things.
  EXPECT_NEAR(static_cast<double>(news) / static_cast<double>(pairs), 0.45 + 0.55 / 34, 0.01);
}

TEST(FactsText, EveryWordIsATokenAndAWindowIsWholePairs) {
  const auto tokenizer = words();
  std::vector<int32_t> ids;
  tokenizer->encode(facts_text(1, 1 << 20).text, ids);
  EXPECT_EQ(tokenizer->vocabulary(), 98);  // things, looks, line feed and "Room"
  std::string kinds;
  for (size_t i = 0; i < 65; ++i) kinds += kind(*tokenizer, ids[i]);
  // T = 64 inputs: line feed, "Room" and 31 pairs.
  EXPECT_EQ(kinds.substr(0, 64), "nR" + std::string(62, ' '));
}

TEST(FactsText, KnownAreTheRepeatedLooks) {
  const GeneratedText text = facts_text(1, 100000);
  size_t next = 0, at = 1;
  for (const std::string& line : lines_of(text)) {
    std::map<std::string, int64_t> said_at;
    const std::vector<std::string> words = words_of(line);
    at += words[0].size();
    for (size_t i = 1; i < words.size(); i += 2) {
      const auto pair = static_cast<int64_t>(at);
      const auto begin = static_cast<int64_t>(at + 1 + words[i].size());
      at = static_cast<size_t>(begin) + 1 + words[i + 1].size();
      if (said_at.contains(words[i])) {
        ASSERT_LT(next, text.known.size());
        EXPECT_EQ(text.known[next].begin, begin);
        EXPECT_EQ(text.known[next].end, static_cast<int64_t>(at));
        EXPECT_EQ(text.known[next].evidence, said_at[words[i]]);
        ++next;
      }
      said_at[words[i]] = pair;
    }
    ++at;
  }
  EXPECT_EQ(next, text.known.size());
}

// " a b a b": the second " b" is known from the first.
GeneratedText two_pairs() { return {" a b a b", {{6, 8, 2}}}; }

TEST(Evidence, CountsTokensBack) {
  WordVocabulary vocabulary;
  vocabulary.pieces = {" a", " b"};
  const auto tokenizer = parse_tokenizer(to_tokenizer_json(vocabulary), "words");
  EXPECT_EQ(*evidence_of(two_pairs(), IdTokens({0, 1, 0, 1}), *tokenizer),
            (std::vector<int32_t>{0, 0, 0, 2}));
  EXPECT_EQ(*evidence_of(two_pairs(), ByteTokens(" a b a b"), *byte_tokenizer()),
            (std::vector<int32_t>{0, 0, 0, 0, 0, 0, 4, 5}))
      << "from the beginning of what it is known from";
}

TEST(Evidence, IsNoneWhereTheTextOrTheTokensDoNotSay) {
  EXPECT_EQ(evidence_of({" a b", {}}, ByteTokens(" a b"), *byte_tokenizer()), nullptr);
  EXPECT_EQ(evidence_of(two_pairs(), ByteTokens(" a b"), *byte_tokenizer()), nullptr);
}

TEST(Evidence, BeforeASequenceDoesNotCount) {
  DataConfig config;
  config.generated = "facts";
  config.windows = "anywhere";
  const auto corpus_words = words();
  const Corpus corpus = load_corpus(config, 98, corpus_words);
  std::set<int64_t> looks;  // every second word of a line
  std::vector<int64_t> start(40000);
  corpus.tokens->read(0, start);
  int64_t place = 0;
  for (const int64_t id : start) {
    place = kind(*corpus_words, id) == ' ' ? place + 1 : 0;
    if (place > 0 && place % 2 == 0) looks.insert(id);
  }
  ASSERT_EQ(looks.size(), 64U);
  const Sequences sequences = measure_sequences(corpus, 50, 200, "held-out");
  std::vector<int64_t> ids(200);
  std::vector<uint8_t> predictable(200);
  int64_t marked = 0;
  for (int64_t s = 0; s < sequences.count; ++s) {
    sequences.read(s, 0, ids);
    sequences.predictable(s, 0, predictable);
    std::set<int64_t> named;  // in this room, within the sequence
    for (size_t i = 0; i < ids.size(); ++i) {
      if (kind(*corpus_words, ids[i]) != ' ') {
        named.clear();
        EXPECT_EQ(predictable[i], 0);
        continue;
      }
      const bool look = looks.contains(ids[i]);
      const bool known = look && i > 0 && named.contains(ids[i - 1]);
      EXPECT_EQ(predictable[i] != 0, known) << s << " " << i;
      if (look && i > 0) named.insert(ids[i - 1]);
      marked += known ? 1 : 0;
    }
    std::vector<uint8_t> part(50);
    sequences.predictable(s, 150, part);
    EXPECT_TRUE(std::equal(part.begin(), part.end(), predictable.begin() + 150));
  }
  EXPECT_GT(marked, 1000);
}

}  // namespace
}  // namespace farstate
