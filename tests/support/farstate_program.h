// SPDX-License-Identifier: GPL-3.0-or-later
// The terminal program as its user starts it.
#pragma once

#include <sys/wait.h>

#include <cstdio>
#include <string>

// A small trained model that reads bytes, for texts of the tests' own. To be joined with literals.
#define LETTERS FARSTATE_GOLDEN_DIR "/letters"

namespace farstate::testing {

struct Outcome {
  int code = -1;
  std::string output;  // standard output and error
};

inline Outcome farstate(const std::string& arguments) {
  Outcome outcome;
  FILE* pipe = popen((std::string(FARSTATE_BIN_DIR "/farstate ") + arguments + " 2>&1").c_str(), "r");
  char buffer[4096];
  while (const size_t n = fread(buffer, 1, sizeof(buffer), pipe)) outcome.output.append(buffer, n);
  outcome.code = WEXITSTATUS(pclose(pipe));
  return outcome;
}

}  // namespace farstate::testing
