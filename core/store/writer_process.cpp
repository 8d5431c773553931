// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/writer_process.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

namespace farstate {
namespace {

std::string word_of(const char* file) {
  std::ifstream in(file);
  std::string word;
  in >> word;
  return word;
}

// "<boot id> <space of process numbers>"; empty: the system does not say.
std::string machine() {
  std::error_code error;
  const std::string space = std::filesystem::read_symlink("/proc/self/ns/pid", error).string();
  const std::string boot = word_of("/proc/sys/kernel/random/boot_id");
  return error || boot.empty() ? "" : boot + " " + space;
}

// Ticks after the boot; empty: there is no such process, or it has ended and waits for its parent.
std::optional<uint64_t> start_of(int64_t pid) {
  std::ifstream in(fmt::format("/proc/{}/stat", pid));
  std::string line;
  if (!std::getline(in, line)) return std::nullopt;
  // The program's name stands in parentheses and may hold anything, also spaces and parentheses.
  const size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(line.substr(name_end + 1));
  std::string state;
  fields >> state;  // field 3 of proc(5); the start is field 22
  std::string field;
  for (int i = 4; i <= 22; ++i) fields >> field;
  if (!fields || state == "Z" || state == "X") return std::nullopt;
  return std::stoull(field);
}

}  // namespace

std::string this_process() {
  const std::string where = machine();
  const std::optional<uint64_t> start = start_of(::getpid());
  return where.empty() || !start ? "" : fmt::format("{} {} {}", where, ::getpid(), *start);
}

bool still_runs(const std::string& process) {
  const std::string where = machine();
  if (where.empty() || !process.starts_with(where + " ")) return false;
  std::istringstream rest(process.substr(where.size()));
  int64_t pid = 0;
  uint64_t start = 0;
  return rest >> pid >> start && start_of(pid) == start;
}

}  // namespace farstate
