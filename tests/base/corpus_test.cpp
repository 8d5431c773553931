// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <numeric>
#include <set>

#include "core/base/error.h"
#include "core/data/npy.h"
#include "tests/support/temp_folder.h"

namespace farstate {
namespace {

using ::testing::HasSubstr;
using testing::TempFolder;

std::string message(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    return error.what();
  }
  return "accepted";
}

// What numpy.save writes, format 1.0.
std::string npy(const std::string& dtype, const std::string& shape, const std::string& data,
                const std::string& order = "False") {
  std::string header =
      "{'descr': '" + dtype + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
  header.resize((10 + header.size() + 64) / 64 * 64 - 10 - 1, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  return bytes + header + data;
}

template <typename Id>
std::string raw(const std::vector<Id>& ids) {
  return {reinterpret_cast<const char*>(ids.data()), ids.size() * sizeof(Id)};
}

Corpus counting(int64_t size, int64_t train_end) {
  std::vector<int64_t> ids(static_cast<size_t>(size));
  std::iota(ids.begin(), ids.end(), 0);
  Corpus corpus;
  corpus.name = "counting";
  corpus.tokens = std::make_shared<IdTokens>(ids);
  corpus.train_end = train_end;
  return corpus;
}

TEST(Npy, ReadsBothWidthsFlatAndTwoDimensional) {
  const TempFolder folder;
  const NpyTokens flat = read_npy_tokens(folder.write("a", npy("<i4", "(3,)", raw<int32_t>({1, -2, 3}))));
  EXPECT_EQ(flat.ids, (std::vector<int64_t>{1, -2, 3}));
  EXPECT_EQ(flat.rows, 0);
  const NpyTokens table =
      read_npy_tokens(folder.write("b", npy("<i8", "(2, 3)", raw<int64_t>({1, 2, 3, 4, 5, 6}))));
  EXPECT_EQ(table.rows, 2);
  EXPECT_EQ(table.columns, 3);
  EXPECT_EQ(table.ids.back(), 6);
}

TEST(Npy, RefusesEverythingElseByName) {
  const TempFolder folder;
  const auto read = [&](const std::string& bytes) {
    const std::string path = folder.write("x.npy", bytes);
    const std::string text = message([&] { read_npy_tokens(path); });
    EXPECT_THAT(text, HasSubstr("x.npy"));
    return text;
  };
  const std::string good = npy("<i4", "(2,)", raw<int32_t>({1, 2}));
  for (size_t length = 0; length < good.size(); ++length) {
    EXPECT_NE(read(good.substr(0, length)), "accepted") << length << " bytes";
  }
  EXPECT_THAT(read("hello, this is text"), HasSubstr("magic"));
  EXPECT_THAT(read(npy("<f4", "(2,)", std::string(8, 0))), HasSubstr("dtype is <f4"));
  EXPECT_THAT(read(npy(">i4", "(2,)", std::string(8, 0))), HasSubstr("dtype is >i4"));
  EXPECT_THAT(read(npy("<i4", "()", std::string(4, 0))), HasSubstr("0 dimensions"));
  EXPECT_THAT(read(npy("<i4", "(1, 1, 2)", std::string(8, 0))), HasSubstr("3 dimensions"));
  EXPECT_THAT(read(npy("<i4", "(0,)", "")), HasSubstr("empty"));
  EXPECT_THAT(read(npy("<i4", "(2, 2)", std::string(16, 0), "True")), HasSubstr("Fortran"));
  EXPECT_THAT(read(npy("<i4", "(9,)", std::string(8, 0))), HasSubstr("names 1 x 9 ids"));
}

TEST(Corpus, ReadsATextAndSplitsIt) {
  const TempFolder folder;
  DataConfig config;
  config.path = folder.write("t.txt", std::string("0123456789") + "\xC3\xA9" + std::string(8, 'x'));
  const Corpus corpus = load_corpus(config, 256);
  EXPECT_EQ(corpus.tokens->size(), 20);
  EXPECT_EQ(corpus.train_end, 18);
  std::vector<int64_t> ids(3);
  corpus.tokens->read(9, ids);
  EXPECT_EQ(ids, (std::vector<int64_t>{'9', 0xC3, 0xA9}));
  EXPECT_TRUE(corpus.document_starts.empty()) << "a file is read anywhere unless asked otherwise";
}

TEST(Corpus, RefusesWhatIsNotAText) {
  const TempFolder folder;
  const auto load = [&](const std::string& path) {
    DataConfig config;
    config.path = path;
    return message([&] { load_corpus(config, 256); });
  };
  EXPECT_THAT(load(folder.file("none.txt")), HasSubstr("No such file"));
  EXPECT_THAT(load(folder.path()), HasSubstr("is a folder"));
  EXPECT_THAT(load(folder.write("empty.txt", "")), HasSubstr("is empty"));
  EXPECT_THAT(load(folder.write("latin1.txt", "caf\xE9 au lait")), HasSubstr("byte 0xe9 at offset 3"));
  EXPECT_THAT(load(folder.write("cut.txt", "caf\xC3")), HasSubstr("offset 3"));
  EXPECT_EQ(load(folder.write("nul.txt", std::string("a\0b", 3))), "accepted");
  DataConfig ids;
  ids.tokens = folder.write("ids.npy", npy("<i4", "(3,)", raw<int32_t>({1, 999, 3})));
  EXPECT_THAT(message([&] { load_corpus(ids, 256); }), HasSubstr("token id 999 at index 1"));
}

TEST(Corpus, GeneratedTextStartsWindowsAtDocuments) {
  const Corpus corpus = load_corpus({}, 256);
  ASSERT_GT(corpus.document_starts.size(), 100U);
  EXPECT_TRUE(std::binary_search(corpus.document_starts.begin(), corpus.document_starts.end(),
                                 corpus.train_end));
  std::vector<int64_t> window(1 * 9);
  draw_windows(corpus, 1, 0, 1, 8, window);
  const Corpus again = load_corpus({}, 256);
  std::vector<int64_t> same(1 * 9);
  draw_windows(again, 1, 0, 1, 8, same);
  EXPECT_EQ(window, same);
}

TEST(DrawWindows, StayInTheTrainingPartAndReachAllOfIt) {
  const Corpus corpus = counting(50, 20);
  std::set<int64_t> starts;
  for (int64_t step = 0; step < 200; ++step) {
    std::vector<int64_t> out(3 * 5);
    draw_windows(corpus, 1, step, 3, 4, out);
    for (size_t row = 0; row < 3; ++row) {
      starts.insert(out[row * 5]);
      for (size_t i = 1; i < 5; ++i) EXPECT_EQ(out[row * 5 + i], out[row * 5 + i - 1] + 1);
      EXPECT_LT(out[row * 5 + 4], 20);
    }
  }
  EXPECT_EQ(starts.size(), 16U) << "every start from 0 to 15";
}

TEST(DrawWindows, RefusesAContextLongerThanTheText) {
  const Corpus corpus = counting(50, 20);
  std::vector<int64_t> out(21);
  EXPECT_THAT(message([&] { draw_windows(corpus, 1, 0, 1, 20, out); }),
              HasSubstr("context of 20 tokens is longer"));
  std::vector<int64_t> fits(20);
  EXPECT_EQ(message([&] { draw_windows(corpus, 1, 0, 1, 19, fits); }), "accepted");
}

TEST(DrawLanes, RowsContinueUntilTheTextEndsThenRestart) {
  const Corpus corpus = counting(64, 41);
  constexpr int64_t B = 2, T = 6;
  std::vector<int64_t> next(B, -1);
  int restarted = 0;
  for (int64_t step = 0; step < 40; ++step) {
    std::vector<int64_t> out(B * (T + 1));
    std::vector<uint8_t> restarts(B);
    draw_lanes(corpus, step, B, T, out, restarts);
    for (size_t row = 0; row < B; ++row) {
      const int64_t begin = out[row * (T + 1)];
      if (restarts[row] == 0) {
        EXPECT_EQ(begin, next[row]);
      } else {
        ++restarted;
        EXPECT_EQ(begin, step == 0 ? static_cast<int64_t>(row) * 20 : 0);
      }
      EXPECT_LT(out[row * (T + 1) + T], 41);
      next[row] = begin + T;
    }
  }
  EXPECT_GE(restarted, 2 + 8);
}

std::vector<int64_t> ids(const Sequences& sequences) {
  std::vector<int64_t> all;
  std::vector<int64_t> row(static_cast<size_t>(sequences.length));
  for (int64_t s = 0; s < sequences.count; ++s) {
    sequences.read(s, 0, row);
    all.insert(all.end(), row.begin(), row.end());
  }
  return all;
}

TEST(MeasureSequences, EvenlySpacedInTheHeldOutPart) {
  const Corpus corpus = counting(100, 60);
  const Sequences s = measure_sequences(corpus, 3, 10, "auto");
  EXPECT_EQ(s.part, "held-out");
  EXPECT_EQ(ids(s)[0], 60);
  EXPECT_EQ(ids(s)[10], 75);
  EXPECT_EQ(ids(s)[29], 99);
  EXPECT_TRUE(s.notes.empty());
}

TEST(MeasureSequences, SaysWhenItHadToUseTheWholeTextOrOverlap) {
  const Corpus corpus = counting(100, 60);
  const Sequences whole = measure_sequences(corpus, 1, 50, "auto");
  EXPECT_EQ(whole.part, "all");
  ASSERT_EQ(whole.notes.size(), 1U);
  EXPECT_THAT(whole.notes[0], HasSubstr("training may have seen"));
  EXPECT_THAT(measure_sequences(corpus, 8, 30, "held-out").notes.at(0), HasSubstr("overlap"));
  EXPECT_THAT(message([&] { measure_sequences(corpus, 1, 41, "held-out"); }),
              HasSubstr("the held-out part has 40 tokens"));
  EXPECT_THAT(message([&] { measure_sequences(corpus, 1, 101, "auto"); }),
              HasSubstr("the text has 100 tokens"));
}

TEST(MeasureSequences, RowsOfIdsAreTheSequences) {
  const TempFolder folder;
  DataConfig config;
  config.tokens = folder.write("ids.npy", npy("<i4", "(2, 3)", raw<int32_t>({1, 2, 3, 4, 5, 6})));
  const Corpus corpus = load_corpus(config, 10);
  const Sequences all = measure_sequences(corpus, 0, 0, "auto");
  EXPECT_EQ(all.count, 2);
  EXPECT_EQ(all.length, 3);
  EXPECT_EQ(ids(all), (std::vector<int64_t>{1, 2, 3, 4, 5, 6}));
  const Sequences shorter = measure_sequences(corpus, 2, 2, "auto");
  EXPECT_EQ(ids(shorter), (std::vector<int64_t>{1, 2, 4, 5}));
  EXPECT_THAT(message([&] { measure_sequences(corpus, 3, 3, "auto"); }), HasSubstr("2 rows of 3 ids"));
}

}  // namespace
}  // namespace farstate
