// SPDX-License-Identifier: GPL-3.0-or-later
// Token ids from NumPy's .npy files (format 1.0 to 3.0).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/token_source.h"

namespace farstate {

struct NpyTokens {
  std::vector<int64_t> ids;  // row-major
  int64_t rows = 0;          // S; 0 for a flat array
  int64_t columns = 0;       // N
};

// int32 or int64, little-endian, C order, one or two dimensions.
// Throws Error(kBadInput) naming the file, what was found and what was wanted.
NpyTokens read_npy_tokens(const std::string& path);
NpyTokens parse_npy_tokens(std::string_view bytes, const std::string& path);

// fp32 of this shape, row-major.
void write_npy(const std::string& path, std::span<const float> values,
               const std::vector<int64_t>& shape);
// A flat array of int32. A stop throws and leaves no file.
void write_npy_tokens(const std::string& path, const TokenSource& tokens);

}  // namespace farstate
