// SPDX-License-Identifier: GPL-3.0-or-later
// A device as the terminal shows it: what it is, which implementation ran each operator and why, the
// memory that it took; and its selftest.
#pragma once

#include <string>

#include "core/results/bench_report.h"

namespace farstate {

void print_device(const DeviceReport& report);
// Of each kernel's rates those that the device could have at most.
void print_shares_of_limits(const BenchReport& report);
int run_device_selftest(const std::string& device);

}  // namespace farstate
