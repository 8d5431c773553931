// SPDX-License-Identifier: GPL-3.0-or-later
// Apache Arrow's streams and files (https://arrow.apache.org/docs/format/Columnar.html), as far as
// tables of text have them: columns of strings, uncompressed. A file is trusted in nothing: every
// length and offset is checked before it is used.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace farstate {

struct TextColumn {  // views into the bytes that were read
  std::string_view name;
  std::vector<std::string_view> rows;
};

// All columns have the same number of rows. Throws Error(kBadInput) naming the file and the column.
std::vector<TextColumn> parse_arrow_text(std::string_view bytes, const std::string& source);

}  // namespace farstate
