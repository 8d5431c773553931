// SPDX-License-Identifier: GPL-3.0-or-later
// The readers of files from elsewhere, each as a function of bytes that may be anything: what a
// fuzzer calls, and a test with the corpus that fuzzers left behind.
#pragma once

#include <span>
#include <string_view>

namespace farstate::fuzz {

struct Reader {
  std::string_view name;  // of its folder in tests/fuzz/corpus
  // Returns whether the bytes are good or refused with an Error. Anything else is a finding: another
  // exception, a result that contradicts itself, what a sanitizer reports.
  void (*read)(std::string_view bytes);
};

std::span<const Reader> readers();

}  // namespace farstate::fuzz
