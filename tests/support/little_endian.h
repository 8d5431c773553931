// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as the bytes that files hold.
#pragma once

#include <cstdint>
#include <string>

namespace farstate::testing {

// The lowest `count` bytes of the value, the least significant first.
inline std::string le(int count, uint64_t value) {
  std::string bytes;
  for (int i = 0; i < count; ++i) bytes.push_back(static_cast<char>(value >> (8 * i) & 0xff));
  return bytes;
}

}  // namespace farstate::testing
