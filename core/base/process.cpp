// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/process.h"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

namespace farstate {
namespace {

// The number after `key` in a file of lines "key value …"; -1: there is none.
int64_t number_after(const char* path, const std::string& key) {
  std::ifstream file(path);
  std::string word;
  while (file >> word) {
    int64_t value = 0;
    if (word == key && file >> value) return value;
  }
  return -1;
}

// A file that holds one number; -1: it holds "max", or is not there.
int64_t only_number(const std::filesystem::path& path) {
  std::ifstream file(path);
  int64_t value = -1;
  return file >> value ? value : -1;
}

// What the control group (version 2) of this process, and those above it, leave.
int64_t available_in_group() {
  constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max();
  std::ifstream file("/proc/self/cgroup");
  std::string line;
  if (!std::getline(file, line) || !line.starts_with("0::/")) return kUnlimited;
  const std::filesystem::path root = "/sys/fs/cgroup";
  int64_t least = kUnlimited;
  for (std::filesystem::path group = root / line.substr(4);; group = group.parent_path()) {
    const int64_t limit = only_number(group / "memory.max");
    if (limit >= 0) {
      const int64_t used = std::max<int64_t>(only_number(group / "memory.current"), 0);
      // Pages of files that were only read count as used, but are given up first.
      const std::string stat = (group / "memory.stat").string();
      const int64_t files = std::max<int64_t>(number_after(stat.c_str(), "inactive_file"), 0);
      least = std::min(least, std::max<int64_t>(limit - used + files, 0));
    }
    if (group == root || !group.has_relative_path()) return least;
  }
}

}  // namespace

void let_waiting_threads_sleep(char** argv) {
  constexpr const char* kPolicy = "OMP_WAIT_POLICY";
  if (std::getenv(kPolicy) != nullptr || setenv(kPolicy, "PASSIVE", 1) != 0) return;
  execv("/proc/self/exe", argv);
}

void keep_freed_memory() {
  // The most that the allocator takes from its heap; what is larger it maps, and unmaps when freed.
  constexpr int kMapFrom = 32 << 20;
  constexpr int kKeptAtMost = 512 << 20;
  mallopt(M_MMAP_THRESHOLD, kMapFrom);
  mallopt(M_TRIM_THRESHOLD, kKeptAtMost);
}

int64_t available_memory() {
  const int64_t kibibytes = number_after("/proc/meminfo", "MemAvailable:");
  return kibibytes < 0 ? 0 : std::min(kibibytes << 10, available_in_group());
}

int64_t resident_memory() {
  std::ifstream statm("/proc/self/statm");
  int64_t total = 0;
  int64_t resident = 0;
  if (!(statm >> total >> resident)) return 0;
  return resident * sysconf(_SC_PAGESIZE);
}

}  // namespace farstate
