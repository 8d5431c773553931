// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/byte_tokenizer.h"

#include <gtest/gtest.h>

namespace farstate {
namespace {

std::string decode(const std::string& bytes) {
  TextDecoder decoder(*byte_tokenizer());
  std::string out;
  std::vector<int32_t> ids;
  byte_tokenizer()->encode(bytes, ids);
  for (const int64_t id : ids) out += decoder.push(id);
  return out + decoder.finish();
}

const std::string kReplacement = "\xEF\xBF\xBD";

TEST(TextDecoder, TextComesBackWhole) {
  for (const std::string& text : {std::string("plain"), std::string("é 中 🙂"), std::string("\r\n\0x", 4)}) {
    EXPECT_EQ(decode(text), text);
  }
}

TEST(TextDecoder, HoldsBackUntilACharacterIsComplete) {
  TextDecoder decoder(*byte_tokenizer());
  EXPECT_EQ(decoder.push(0xE4), "");
  EXPECT_EQ(decoder.push(0xB8), "");
  EXPECT_EQ(decoder.push(0xAD), "中");
}

TEST(TextDecoder, BytesThatAreNoTextBecomeReplacements) {
  EXPECT_EQ(decode("a\xFF" "b"), "a" + kReplacement + "b");
  EXPECT_EQ(decode("\xC3" "a"), kReplacement + "a");
  EXPECT_EQ(decode("\xE4\xB8"), kReplacement) << "one for a character that was cut off";
  EXPECT_EQ(decode("\xED\xA0\x80"), kReplacement + kReplacement + kReplacement) << "a surrogate";
}

}  // namespace
}  // namespace farstate
