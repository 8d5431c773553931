// SPDX-License-Identifier: GPL-3.0-or-later
// The machine that this process runs on, and the libraries that compute in it.
#pragma once

#include "core/results/bench_report.h"

namespace farstate {

struct MachineReport {
  BenchMachine machine;
  std::vector<Library> libraries;
  std::vector<DeviceLimits> gpus;  // that this build could compute on
};

MachineReport machine_report();

}  // namespace farstate
