// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/process.h"

#include <csignal>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace farstate {
namespace {

// The number after `key` in a file of words; -1: there is none.
int64_t number_after(const std::filesystem::path& path, const std::string& key) {
  std::ifstream file(path);
  std::string word;
  while (file >> word) {
    int64_t value = 0;
    if (word == key) return file >> value ? value : -1;
  }
  return -1;
}

// A file that holds one number; -1: it holds "max", or is not there.
int64_t only_number(const std::filesystem::path& path) {
  std::ifstream file(path);
  int64_t value = -1;
  return file >> value ? value : -1;
}

// What a control group's files leave of its limit. Pages of files that were only read count as
// used, but are given up first.
int64_t left_in(const std::filesystem::path& group, const char* limit_file, const char* used_file,
                const char* reclaimable) {
  const int64_t limit = only_number(group / limit_file);
  if (limit < 0) return std::numeric_limits<int64_t>::max();
  const int64_t used = std::max<int64_t>(only_number(group / used_file), 0);
  const int64_t files = std::max<int64_t>(number_after(group / "memory.stat", reclaimable), 0);
  return std::max<int64_t>(limit - used + files, 0);
}

// Of the control groups that hold this process, the least that one leaves; of version 1 only the
// group that a container sees as its root.
int64_t available_in_groups() {
  const std::filesystem::path root = "/sys/fs/cgroup";
  int64_t least = left_in(root / "memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
                          "total_inactive_file");
  std::ifstream file("/proc/self/cgroup");
  std::string line;
  while (std::getline(file, line) && !line.starts_with("0::/")) {
  }
  if (!line.starts_with("0::/")) return least;
  for (std::filesystem::path group = line.substr(3);; group = group.parent_path()) {
    least = std::min(least, left_in(root / group.relative_path(), "memory.max", "memory.current",
                                    "inactive_file"));
    if (!group.has_relative_path()) return least;
  }
}

}  // namespace

void let_waiting_threads_sleep(char** argv) {
  constexpr const char* kPolicy = "OMP_WAIT_POLICY";
  if (std::getenv(kPolicy) != nullptr || setenv(kPolicy, "PASSIVE", 1) != 0) return;
  execv("/proc/self/exe", argv);
}

void explain_lost_pages() {
  struct sigaction action {};
  action.sa_handler = [](int) {
    // Only what a signal handler may call.
    constexpr std::string_view kSentence =
        "farstate: A file that was being read became shorter, or its disk failed; start again.\n";
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kSentence.data(), kSentence.size());
    _exit(static_cast<int>(ErrorKind::kBadInput));
  };
  sigaction(SIGBUS, &action, nullptr);
}

int64_t available_memory() {
  const int64_t kibibytes = number_after("/proc/meminfo", "MemAvailable:");
  return kibibytes < 0 ? 0 : std::min(kibibytes << 10, available_in_groups());
}

bool reset_peak_memory() {
  std::ofstream file("/proc/self/clear_refs");
  file << "5" << std::flush;
  return file.good();
}

int64_t peak_memory() {
  return std::max<int64_t>(number_after("/proc/self/status", "VmHWM:"), 0) << 10;
}

int64_t resident_memory() {
  std::ifstream statm("/proc/self/statm");
  int64_t total = 0;
  int64_t resident = 0;
  if (!(statm >> total >> resident)) return 0;
  return resident * sysconf(_SC_PAGESIZE);
}

}  // namespace farstate
