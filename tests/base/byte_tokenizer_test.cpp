// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/byte_tokenizer.h"

#include <gtest/gtest.h>

namespace farstate {
namespace {

std::string decode(const std::string& bytes) {
  ByteDecoder decoder;
  std::string out;
  for (const int64_t id : encode_bytes(bytes)) out += decoder.push(id);
  return out + decoder.finish();
}

const std::string kReplacement = "\xEF\xBF\xBD";

TEST(ByteDecoder, TextComesBackWhole) {
  for (const std::string& text : {std::string("plain"), std::string("é 中 🙂"), std::string("\r\n\0x", 4)}) {
    EXPECT_EQ(decode(text), text);
  }
}

TEST(ByteDecoder, HoldsBackUntilACharacterIsComplete) {
  ByteDecoder decoder;
  EXPECT_EQ(decoder.push(0xE4), "");
  EXPECT_EQ(decoder.push(0xB8), "");
  EXPECT_EQ(decoder.push(0xAD), "中");
}

TEST(ByteDecoder, BytesThatAreNoTextBecomeReplacements) {
  EXPECT_EQ(decode("a\xFF" "b"), "a" + kReplacement + "b");
  EXPECT_EQ(decode("\xC3" "a"), kReplacement + "a");
  EXPECT_EQ(decode("\xE4\xB8"), kReplacement + kReplacement);
  EXPECT_EQ(decode("\xED\xA0\x80"), kReplacement + kReplacement + kReplacement) << "a surrogate";
}

}  // namespace
}  // namespace farstate
