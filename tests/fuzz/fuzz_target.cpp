// SPDX-License-Identifier: GPL-3.0-or-later
// A fuzz target: the reader that FARSTATE_FUZZED_READER names. One program is built of this file
// for each reader.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "tests/fuzz/readers.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  for (const farstate::fuzz::Reader& reader : farstate::fuzz::readers()) {
    if (reader.name != FARSTATE_FUZZED_READER) continue;
    reader.read({reinterpret_cast<const char*>(data), size});
    return 0;
  }
  std::abort();  // no reader of that name
}
