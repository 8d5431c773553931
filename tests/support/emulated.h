// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of CUDA kernels in the emulator share.
#pragma once

#include <cstdint>

#include "tests/cuda/emulator.h"

namespace farstate::testing {

// Calls run() under schedules of threads and blocks: ascending, descending, and drawn.
template <class Run>
void under_schedules(const Run& run) {
  for (const uint64_t seed : {0, 1, 2, 3}) {
    SCOPED_TRACE(::testing::Message() << "schedule " << seed);
    emulator::set_schedule(seed);
    run();
  }
}

}  // namespace farstate::testing
