// SPDX-License-Identifier: GPL-3.0-or-later
// The benchmark's files in the layouts that people have them in, and damaged ones.
#include "core/tasks/babilong_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/refusal.h"
#include "tests/support/temp_folder.h"

namespace farstate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::BadFile;
using testing::expect_refused;
using testing::refusal;
using testing::TempFolder;

// As the data set's page has them: an array.
constexpr const char* kArray = R"([
  {"input": " Mary went to the kitchen. It rained. ", "question": "Where is Mary? ",
   "target": "kitchen"},
  {"input": "John went to the \u201coffice\u201d.", "question": "Where is John?",
   "target": "office", "id": 7}
])";
// As to_json() of `datasets` writes them: a row a line, keys in another order.
constexpr const char* kLines =
    R"({"question":"Where is Mary? ","target":"kitchen","input":" Mary went to the kitchen. It rained. "}
{"question":"Where is John?","target":"office","input":"John went to the “office”."}
)";

class Files : public ::testing::Test {
 protected:
  std::string write(const std::string& name, std::string_view content) {
    std::filesystem::create_directories(std::filesystem::path(folder_.file(name)).parent_path());
    return folder_.write(name, content);
  }
  TempFolder folder_;
};

using BabilongFilesTest = Files;

TEST_F(BabilongFilesTest, ReadsAnArrayAndLinesAlike) {
  for (const char* text : {kArray, kLines}) {
    const BabilongRows rows = babilong_rows(text, "0k.json", "qa1");
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].input, "Mary went to the kitchen. It rained.");
    EXPECT_EQ(rows[0].question, "Where is Mary?");
    EXPECT_EQ(rows[0].target, "kitchen");
    EXPECT_EQ(rows[1].input, "John went to the “office”.");
    EXPECT_EQ(rows[1].target, "office");
  }
}

TEST_F(BabilongFilesTest, FindsTheFilesInEitherLayout) {
  write("data/qa1/0k.json", kArray);
  write("data/qa1/4k.json", kArray);
  write("data/qa1/1M.json", kArray);
  write("data/qa1/notes.json", "{}");
  write("qa2/4k.jsonl", kLines);
  write("qa2/0k.jsonl", kLines);
  write("qa2/16k.json", kLines);
  const BabilongFiles files(folder_.path(), {"qa1", "qa2"});
  EXPECT_THAT(files.lengths("qa1"), ElementsAre(0, 4096, 1048576));
  EXPECT_THAT(files.lengths("qa2"), ElementsAre(0, 4096, 16384));
  EXPECT_THAT(files.lengths(), ElementsAre(0, 4096));
  EXPECT_EQ(files.rows("qa1", 4096)->size(), 2U);
  EXPECT_EQ(files.rows("qa2", 16384)->at(1).target, "office");
  EXPECT_EQ(files.rows("qa1", 4096), files.rows("qa1", 4096)) << "read twice";
}

// As save_to_disk() leaves them: of one kind and length, or all kinds of a length.
TEST_F(BabilongFilesTest, ReadsArrowTablesInAllTheirParts) {
  for (const char* part : {"data-00000-of-00002.arrow", "data-00001-of-00002.arrow"}) {
    const std::string bytes = testing::read_all(std::string(FARSTATE_GOLDEN_DIR "/arrow/") + part);
    write(std::string("qa1/4k/") + part, bytes);
    write(std::string("8k/qa1/") + part, bytes);
  }
  write("8k/dataset_dict.json", R"({"splits": ["qa1"]})");
  write("8k/qa1/state.json", "{}");
  const BabilongFiles files(folder_.path(), {"qa1"});
  EXPECT_THAT(files.lengths(), ElementsAre(4096, 8192));
  for (const int64_t length : files.lengths()) {
    const auto rows = files.rows("qa1", length);
    ASSERT_EQ(rows->size(), 3U);
    EXPECT_EQ(rows->at(0).input, "Mary went to the kitchen. It rained.");
    EXPECT_EQ(rows->at(1).question, "Where is John?");
    EXPECT_EQ(rows->at(2).target, "garden");
  }
}

TEST_F(BabilongFilesTest, NamesTheRowAndTheColumnOfABadTable) {
  const std::string table = testing::read_all(FARSTATE_GOLDEN_DIR "/arrow/stream.arrow");
  EXPECT_THAT(refusal([&] { babilong_rows(table, "t.arrow", "qa5"); }),
              ::testing::AllOf(HasSubstr("t.arrow, row 1, key \"target\""), HasSubstr("kitchen"),
                               HasSubstr("bill, fred")));
  std::string renamed = table;
  for (size_t at = 0; (at = renamed.find("target", at)) != std::string::npos; ++at) {
    renamed.replace(at, 6, "answer");
  }
  EXPECT_THAT(refusal([&] { babilong_rows(renamed, "t.arrow", "qa1"); }),
              HasSubstr("t.arrow has no column \"target\""));
}

TEST_F(BabilongFilesTest, ALengthNamesAFileInThousandsOrIn1024s) {
  write("qa1/0k.json", kArray);
  write("qa1/4k.json", kArray);
  write("qa1/1M.json", kArray);
  const BabilongFiles files(folder_.path(), {"qa1"});
  EXPECT_EQ(files.named("qa1", 0), 0);
  EXPECT_EQ(files.named("qa1", 4096), 4096);
  EXPECT_EQ(files.named("qa1", 4000), 4096);
  EXPECT_EQ(files.named("qa1", 1000000), 1048576);
  EXPECT_EQ(files.named("qa1", 1048576), 1048576);
  EXPECT_EQ(files.named("qa1", 4097), -1);
  EXPECT_EQ(files.named("qa1", 2048), -1);
}

TEST_F(BabilongFilesTest, ReadsTheNamesOfLengths) {
  EXPECT_EQ(nominal_length("0k"), 0);
  EXPECT_EQ(nominal_length("128k"), 131072);
  EXPECT_EQ(nominal_length("10M"), 10 << 20);
  for (const char* name : {"", "k", "4", "4K", "4kk", "-4k", "x4k", "99999999999999999999k"}) {
    EXPECT_EQ(nominal_length(name), -1) << name;
  }
}

TEST_F(BabilongFilesTest, RefusesDamagedFilesWithFileRowAndKey) {
  const std::string array = kArray;
  const std::vector<BadFile> files = {
      {"empty", "", {"begins with \"\"", "wanted was a JSON array"}},
      {"no JSON", "input,question,target", {"begins with \"input,question"}},
      {"cut off", array.substr(0, 100), {"cut off", "100 bytes", "download it again"}},
      {"no rows", "[]", {"no rows"}},
      {"a pointer", "version https://git-lfs.github.com/spec/v1\noid sha256:0", {"git lfs pull"}},
      {"no object", R"(["Mary"])", {"row 1", "found \"Mary\"", "wanted an object"}},
      {"no question", R"([{"input":"A.","target":"kitchen"}])",
       {"row 1", "no key \"question\""}},
      {"a number", R"([{"input":"A.","question":"B?","target":7}])",
       {"row 1", "key \"target\"", "found 7", "wanted a string"}},
      {"columns", R"({"input":["A."],"question":["B?"],"target":["kitchen"]})",
       {"line 1", "key \"input\"", "found an array", "wanted a string"}},
      {"an empty question", R"([{"input":"A.","question":" ","target":"kitchen"}])",
       {"row 1", "key \"question\"", "empty"}},
      {"another kind's answer",
       R"([{"input":"A.","question":"B?","target":"kitchen"},
           {"input":"A.","question":"B?","target":"Fred"}])",
       {"row 2", "key \"target\"", "found \"Fred\"", "bathroom, bedroom"}},
      {"a broken line", std::string(kLines) + "{\"input\": \"Ma",
       {"line 3", "no JSON", "cut off"}},
  };
  expect_refused(files, "/x/qa1/4k.json", [](const std::string& bytes) {
    babilong_rows(bytes, "/x/qa1/4k.json", "qa1");
  });
}

// Every cut of a file is refused or, between two lines, gives the whole rows before it.
TEST_F(BabilongFilesTest, RefusesEveryTruncation) {
  for (const std::string& text : {std::string(kArray), std::string(kLines)}) {
    for (size_t size = 0; size < text.size(); ++size) {
      size_t rows = 0;
      const std::string sentence = refusal(
          [&] { rows = babilong_rows(text.substr(0, size), "4k.json", "qa1").size(); });
      if (rows == 0) {
        EXPECT_THAT(sentence, HasSubstr("4k.json")) << size;
      } else {
        EXPECT_TRUE(text[size] == '\n' || text[size - 1] == '\n') << size;
      }
    }
  }
}

TEST_F(BabilongFilesTest, NamesWhatAFolderLacks) {
  const auto sentence = [&](const std::string& folder) {
    return refusal([&] { BabilongFiles files(folder, {"qa1"}); });
  };
  EXPECT_THAT(sentence(folder_.file("nowhere")), HasSubstr("nowhere is no folder"));
  EXPECT_THAT(sentence(folder_.path()), HasSubstr("no files of qa1"));
  write("4k/qa1-00000-of-00001.parquet", "PAR1");
  EXPECT_THAT(sentence(folder_.path()),
              ::testing::AllOf(HasSubstr("qa1-00000-of-00001.parquet"), HasSubstr("to_json")));
}

}  // namespace
}  // namespace farstate
