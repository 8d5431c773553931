// SPDX-License-Identifier: GPL-3.0-or-later
// farstate bench: how fast this machine does the work of this program.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "core/session/bench.h"

namespace farstate {

struct BenchOptions {
  BenchJob job;
  std::string json;
};

void add_bench(CLI::App& command, BenchOptions& options);

// Returns the exit code and throws Error; what is not complete is not written.
int run_bench(const BenchOptions& options);

}  // namespace farstate
