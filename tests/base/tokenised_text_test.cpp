// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tokenised_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <thread>

#include "core/base/error.h"
#include "core/base/stop.h"
#include "core/data/corpus.h"
#include "core/data/token_cache.h"
#include "core/tokenizer/load_tokenizer.h"
#include "tests/support/temp_folder.h"

namespace farstate {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing::read_all;
using testing::TempFolder;

std::shared_ptr<const Tokenizer> neox() {
  return load_tokenizer(FARSTATE_GOLDEN_DIR "/tokenizer/neox.json");
}

std::string prose(int lines) {
  std::string text;
  for (int i = 0; i < lines; ++i) {
    text += "Line " + std::to_string(i * 7919) + " of the license,  with caf\xC3\xA9 and \"quotes\".\n";
    if (i % 50 == 0) text += "\n    indented\ttabs\r\n";
  }
  return text;
}

std::vector<int64_t> all(const TokenSource& tokens) {
  std::vector<int64_t> ids(static_cast<size_t>(tokens.size()));
  tokens.read(0, ids);
  return ids;
}

class TokenisedTextTest : public ::testing::Test {
 protected:
  TokenisedTextTest() { setenv("XDG_CACHE_HOME", cache_.path().c_str(), 1); }
  ~TokenisedTextTest() override { unsetenv("XDG_CACHE_HOME"); }

  std::vector<int64_t> direct(const std::string& text) const {
    std::vector<int32_t> ids;
    tokenizer_->encode(text, ids);
    return {ids.begin(), ids.end()};
  }
  std::string find(const std::string& extension) const {
    for (const auto& entry : fs::recursive_directory_iterator(cache_.path())) {
      if (entry.path().extension() == extension) return entry.path().string();
    }
    return "";
  }

  const TempFolder cache_, folder_;
  const std::shared_ptr<const Tokenizer> tokenizer_ = neox();
};

TEST_F(TokenisedTextTest, AnotherTextOfTheSameSizeAndTimeIsAnotherText) {
  const fs::file_time_type long_ago = fs::file_time_type::clock::now() - std::chrono::hours(10000);
  for (const std::string text : {"hello world hello", "HELLO WORLD HELLO"}) {
    const std::string path = folder_.write("t.txt", text);
    fs::last_write_time(path, long_ago);
    EXPECT_EQ(all(*tokenise_file(path, tokenizer_, {}).tokens), direct(text));
  }
}

TEST_F(TokenisedTextTest, PiecesGiveTheIdsOfTheWholeAndAreKept) {
  const std::string text = prose(20000);  // several pieces
  const std::string path = folder_.write("t.txt", text);
  const TokenisedText made = tokenise_file(path, tokenizer_, {});
  EXPECT_EQ(all(*made.tokens), direct(text));
  EXPECT_FALSE(made.kept);
  EXPECT_EQ(made.encoded, static_cast<int64_t>(text.size()));
  EXPECT_TRUE(made.notes.empty());
  const TokenisedText again = tokenise_file(path, tokenizer_, {});
  EXPECT_TRUE(again.kept);
  EXPECT_EQ(again.encoded, 0);
  EXPECT_EQ(all(*again.tokens), direct(text));
  EXPECT_TRUE(find(".part").empty());
  EXPECT_TRUE(find(".journal").empty());
}

TEST_F(TokenisedTextTest, ATextWithoutAPlaceToCutIsOnePiece) {
  const std::string text(700000, '7');
  EXPECT_EQ(all(*tokenise_text(text, tokenizer_, {}).tokens), direct(text));
}

TEST_F(TokenisedTextTest, AnAlteredOrShortEntryIsMadeAnew) {
  const std::string text = prose(500);
  const std::string path = folder_.write("t.txt", text);
  tokenise_file(path, tokenizer_, {});
  const std::string ids = find(".ids");
  std::string content = read_all(ids);
  content[10] = static_cast<char>(content[10] ^ 1);
  std::ofstream(ids, std::ios::binary) << content;
  TokenisedText made = tokenise_file(path, tokenizer_, {});
  EXPECT_FALSE(made.kept);
  EXPECT_EQ(all(*made.tokens), direct(text));
  fs::resize_file(ids, 20);
  made = tokenise_file(path, tokenizer_, {});
  EXPECT_FALSE(made.kept);
  EXPECT_EQ(all(*made.tokens), direct(text));
  std::ofstream(find(".json")) << "{\"tokens\": -3";
  EXPECT_EQ(all(*tokenise_file(path, tokenizer_, {}).tokens), direct(text));
}

TEST_F(TokenisedTextTest, GoesOnWhereItWasStopped) {
  const std::string text = prose(40000);
  const std::string path = folder_.write("t.txt", text);
  std::stop_source source;
  {
    const StopScope scope(source.get_token());
    try {
      tokenise_file(path, tokenizer_, [&](const std::string&, double share) {
        if (share > 0.5) source.request_stop();
      });
      ADD_FAILURE() << "was not stopped";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInterrupted);
    }
  }
  ASSERT_FALSE(find(".journal").empty());
  double first = 1;
  const TokenisedText made =
      tokenise_file(path, tokenizer_, [&](const std::string& phase, double share) {
        if (phase.find("tokenising") == 0) first = std::min(first, share);
      });
  EXPECT_GT(first, 0.5);
  EXPECT_EQ(all(*made.tokens), direct(text));
}

TEST_F(TokenisedTextTest, APartThatWasAlteredIsNotGoneOnWith) {
  const std::string text = prose(3000);
  const std::string path = folder_.write("t.txt", text);
  const TokenCache cache;
  const MappedFile file(path);
  const std::string entry = cache.entry(cache.content_hash(file, {}), tokenizer_->fingerprint());
  {
    const auto writer = TokenWriter::open(entry, 2, static_cast<int64_t>(text.size()));
    writer->append(std::vector<int32_t>{1, 2, 3}, 1000, 0);
    writer->commit();
  }
  std::ofstream(entry + ".part", std::ios::binary) << "abcdef";
  EXPECT_EQ(all(*tokenise_file(path, tokenizer_, {}).tokens), direct(text));
}

TEST_F(TokenisedTextTest, TwoAtOnceGiveTheSame) {
  const std::string text = prose(20000);
  const std::string path = folder_.write("t.txt", text);
  TokenisedText other;
  std::thread thread([&] { other = tokenise_file(path, tokenizer_, {}); });
  const TokenisedText mine = tokenise_file(path, tokenizer_, {});
  thread.join();
  EXPECT_EQ(all(*mine.tokens), direct(text));
  EXPECT_EQ(all(*other.tokens), direct(text));
}

TEST_F(TokenisedTextTest, WithoutACacheFolderItIsDoneInMemoryWithANote) {
  const std::string path = folder_.write("t.txt", prose(100));
  setenv("XDG_CACHE_HOME", path.c_str(), 1);  // a file, so that nobody can make a folder in it
  const TokenisedText made = tokenise_file(path, tokenizer_, {});
  EXPECT_EQ(all(*made.tokens), direct(prose(100)));
  ASSERT_EQ(made.notes.size(), 1U);
  EXPECT_THAT(made.notes[0], HasSubstr("in memory only"));
}

TEST_F(TokenisedTextTest, InvalidBytesAreCountedAndBinaryFilesRefused) {
  const TokenisedText made =
      tokenise_file(folder_.write("t.txt", prose(50) + "\xFF\xFE z"), tokenizer_, {});
  EXPECT_EQ(made.replaced, 2);
  ASSERT_EQ(made.notes.size(), 1U);
  EXPECT_THAT(made.notes[0], HasSubstr("2 sequences"));
  EXPECT_THROW(tokenise_file(folder_.write("b", std::string(1000, '\0')), tokenizer_, {}), Error);
  EXPECT_THROW(tokenise_file(folder_.write("e", ""), tokenizer_, {}), Error);
}

TEST_F(TokenisedTextTest, ACorpusOfTokensHasItsDocuments) {
  DataConfig config;
  config.path = folder_.write("t.txt", "one line\ntwo lines\nthree\n");
  config.windows = "document-start";
  const Corpus corpus = load_corpus(config, 1000, tokenizer_);
  ASSERT_EQ(corpus.document_starts.size(), 2U);
  std::vector<int64_t> id(1);
  corpus.tokens->read(corpus.document_starts[1], id);
  EXPECT_EQ(tokenizer_->bytes(id[0]), "\n");
}

TEST_F(TokenisedTextTest, ATokenizerMustFitTheModel) {
  DataConfig config;
  config.path = folder_.write("t.txt", prose(10));
  EXPECT_THROW(load_corpus(config, 300, tokenizer_), Error);
  EXPECT_THROW(load_corpus(config, 50280, nullptr), Error);
  EXPECT_GT(load_corpus(config, 50280, tokenizer_).tokens->size(), 0);
}

}  // namespace
}  // namespace farstate
