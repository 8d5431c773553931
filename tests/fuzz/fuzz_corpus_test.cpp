// SPDX-License-Identifier: GPL-3.0-or-later
// Every file of the fuzzers' corpus through the reader that it was found for: good files, bad ones,
// and those that once were a finding.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "tests/fuzz/readers.h"
#include "tests/support/temp_folder.h"

namespace farstate {
namespace {

class FuzzCorpus : public ::testing::TestWithParam<fuzz::Reader> {};

TEST_P(FuzzCorpus, IsReadOrRefused) {
  const std::filesystem::path folder =
      std::filesystem::path(FARSTATE_FUZZ_CORPUS) / GetParam().name;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files.push_back(entry.path());
  }
  ASSERT_FALSE(files.empty());
  std::sort(files.begin(), files.end());
  for (const std::filesystem::path& file : files) {
    // A copy of exactly its size, so that a sanitizer sees a step beyond it.
    const std::string content = testing::read_all(file.string());
    const std::vector<char> bytes(content.begin(), content.end());
    EXPECT_NO_THROW(GetParam().read({bytes.data(), bytes.size()})) << file;
  }
}

INSTANTIATE_TEST_SUITE_P(Readers, FuzzCorpus,
                         ::testing::ValuesIn(fuzz::readers().begin(), fuzz::readers().end()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace farstate
