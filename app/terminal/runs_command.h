// SPDX-License-Identifier: GPL-3.0-or-later
// farstate runs list|show|export|delete: the runs that the store has recorded.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace farstate {

struct RunsOptions {
  std::string store;       // empty: the user's own
  std::string experiment;  // list: these alone
  std::string status;
  std::string json;
  int64_t id = 0;  // show, export
  std::string format = "json";
  std::string out;
  std::vector<int64_t> ids;  // delete
  bool with_checkpoint = false;
};

void add_runs(CLI::App& command, RunsOptions& options);

// Does what the parsed command asks for; returns the exit code and throws Error.
int run_runs(const CLI::App& command, const RunsOptions& options);

}  // namespace farstate
