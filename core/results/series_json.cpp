// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/series_json.h"

#include <fmt/format.h>

namespace farstate {

std::string contradiction(const Series& s) {
  constexpr int64_t kMostHeads = int64_t{1} << 31;
  constexpr int64_t kMostPositions = int64_t{1} << 53;
  const auto length = [&](const char* key, size_t count, bool may_be_empty) -> std::string {
    if (count == s.x.size() || (count == 0 && may_be_empty)) return {};
    return fmt::format("\"{}\" has {} values for {} of \"x\"", key, count, s.x.size());
  };
  const auto outside = [](int64_t value, int64_t most) { return value < 0 || value > most; };
  for (const auto& [key, index] : {std::pair("layer", s.layer), std::pair("head", s.head)}) {
    if (index && outside(*index, kMostHeads)) {
      return fmt::format("\"{}\" is {}, but must be from 0 to 2^31", key, *index);
    }
  }
  for (const auto* edges : {&s.bin_begin, &s.bin_end}) {
    for (const int64_t edge : *edges) {
      if (outside(edge, kMostPositions)) {
        return fmt::format("the bin edge {} is not from 0 to 2^53", edge);
      }
    }
  }
  for (std::string why : {length("y", s.y.size(), false), length("lower", s.lower.size(), true),
                          length("upper", s.upper.size(), true),
                          length("bin_begin", s.bin_begin.size(), true),
                          length("bin_end", s.bin_end.size(), true)}) {
    if (!why.empty()) return why;
  }
  return {};
}

}  // namespace farstate
