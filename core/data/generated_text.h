// SPDX-License-Identifier: GPL-3.0-or-later
// The texts that embedded models read, made in memory and the same for every run, so that runs can
// be compared; a run's own seed chooses what it reads of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace farstate {

inline constexpr const char* kGeneratedTexts[] = {"facts", "register", "english"};

// A word that can be known from what was read; places are bytes of the text.
struct KnownWord {
  int64_t begin = 0;
  int64_t end = 0;
  int64_t evidence = 0;  // where begins what it is known from
};

struct GeneratedText {
  std::string text;
  std::vector<KnownWord> known;  // ascending; empty: the text does not say
};

// `name` is one of kGeneratedTexts; empty: the first. Throws Error(kBadUsage).
GeneratedText generate_text(const std::string& name);

}  // namespace farstate
