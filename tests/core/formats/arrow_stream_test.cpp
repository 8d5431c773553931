// SPDX-License-Identifier: GPL-3.0-or-later
// Against tables as `datasets` and pyarrow write them (tools/make_arrow_golden.py).
#include "core/formats/arrow_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/refusal.h"
#include "tests/support/temp_folder.h"

namespace farstate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::read_all;
using testing::refusal;

std::string golden(const std::string& name) {
  return read_all(FARSTATE_GOLDEN_DIR "/arrow/" + name);
}

std::string refused(const std::string& bytes) {
  return refusal([&] { parse_arrow_text(bytes, "x.arrow"); });
}

TEST(ArrowStream, ReadsWhatDatasetsAndPyarrowWrite) {
  for (const char* name : {"stream.arrow", "file.arrow", "large.arrow"}) {
    const std::string bytes = golden(name);
    const std::vector<TextColumn> columns = parse_arrow_text(bytes, name);
    ASSERT_EQ(columns.size(), 3U) << name;
    EXPECT_EQ(columns[0].name, "question");
    EXPECT_EQ(columns[1].name, "target");
    EXPECT_EQ(columns[2].name, "input");
    // Two batches: two rows and one.
    EXPECT_THAT(columns[0].rows, ElementsAre("Where is Mary? ", "Where is John?", "Where is Sandra?"));
    EXPECT_THAT(columns[1].rows, ElementsAre("kitchen", "office", "garden"));
    EXPECT_THAT(columns[2].rows, ElementsAre(" Mary went to the kitchen. It rained. ",
                                             "John went to the “office”.", ""));
  }
  const std::string first = golden("data-00000-of-00002.arrow");
  EXPECT_THAT(parse_arrow_text(first, "first").at(1).rows, ElementsAre("kitchen", "office"));
  const std::string second = golden("data-00001-of-00002.arrow");
  EXPECT_THAT(parse_arrow_text(second, "second").at(1).rows, ElementsAre("garden"));
}

TEST(ArrowStream, RefusesTablesThatAreMoreThanPlainText) {
  EXPECT_THAT(refused(golden("compressed.arrow")), HasSubstr("compressed"));
  EXPECT_THAT(refused(golden("numbers.arrow")), HasSubstr("the column \"id\" is no plain column"));
  EXPECT_THAT(refused(golden("dictionary.arrow")), HasSubstr("the column \"target\" is no plain"));
  EXPECT_THAT(refused(golden("missing.arrow")), HasSubstr("the column \"target\" lacks 1 of"));
}

TEST(ArrowStream, RefusesEveryTruncation) {
  for (const char* name : {"data-00000-of-00002.arrow", "large.arrow"}) {
    const std::string bytes = golden(name);
    for (size_t size = 0; size < bytes.size(); ++size) {
      EXPECT_THAT(refused(bytes.substr(0, size)), HasSubstr("x.arrow: ")) << name << " " << size;
    }
  }
}

// What is read of a damaged file lies within it; anything else than reading and refusing would be a
// finding of the sanitizers.
TEST(ArrowStream, ADamagedByteIsReadOrRefused) {
  for (const char* name : {"stream.arrow", "file.arrow", "large.arrow"}) {
    const std::string bytes = golden(name);
    for (size_t at = 0; at < bytes.size(); ++at) {
      for (const int change : {0x01, 0x80, 0xFF}) {
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ change);
        refusal([&] {
          for (const TextColumn& column : parse_arrow_text(damaged, name)) {
            for (const std::string_view row : column.rows) {
              ASSERT_GE(row.data(), damaged.data());
              ASSERT_LE(row.data() + row.size(), damaged.data() + damaged.size());
            }
          }
        });
      }
    }
  }
}

}  // namespace
}  // namespace farstate
