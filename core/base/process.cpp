// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/process.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace farstate {

void let_waiting_threads_sleep(char** argv) {
  constexpr const char* kPolicy = "OMP_WAIT_POLICY";
  if (std::getenv(kPolicy) != nullptr || setenv(kPolicy, "PASSIVE", 1) != 0) return;
  execv("/proc/self/exe", argv);
}

int64_t resident_memory() {
  std::ifstream statm("/proc/self/statm");
  int64_t total = 0;
  int64_t resident = 0;
  if (!(statm >> total >> resident)) return 0;
  return resident * sysconf(_SC_PAGESIZE);
}

}  // namespace farstate
