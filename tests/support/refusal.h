// SPDX-License-Identifier: GPL-3.0-or-later
// What a reader says of a bad file.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/error.h"

namespace farstate::testing {

// The sentence with which `read` refuses its input; "accepted" if it does not. Any other exception
// than an Error of this kind fails the test.
template <typename Read>
std::string refusal(const Read& read, ErrorKind kind = ErrorKind::kBadInput) {
  try {
    read();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  return "accepted";
}

struct BadFile {
  const char* what;  // is wrong with it
  std::string bytes;
  std::vector<const char*> says;  // parts of the sentence
};

// read(bytes) must refuse every file with a sentence that names `source` and holds those parts.
template <typename Read>
void expect_refused(const std::vector<BadFile>& files, const std::string& source,
                    const Read& read) {
  for (const BadFile& file : files) {
    const std::string sentence = refusal([&] { read(file.bytes); });
    EXPECT_THAT(sentence, ::testing::HasSubstr(source)) << file.what;
    for (const char* part : file.says) {
      EXPECT_THAT(sentence, ::testing::HasSubstr(part)) << file.what;
    }
  }
}

}  // namespace farstate::testing
