// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/terminal/desktop_program.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <thread>

#include "core/base/error.h"
#include "core/base/stop.h"

namespace farstate {
namespace {

constexpr const char* kName = "farstate-desktop";

bool can_run(const std::filesystem::path& file) {
  return std::filesystem::is_regular_file(file) && access(file.c_str(), X_OK) == 0;
}

// Signals that this program waits for are blocked in it; the other shall end by them.
pid_t start(const std::string& program, const std::vector<std::string>& arguments) {
  std::vector<char*> words;
  words.push_back(const_cast<char*>(program.c_str()));
  for (const std::string& argument : arguments) {
    words.push_back(const_cast<char*>(argument.c_str()));
  }
  words.push_back(nullptr);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t child = 0;
  const int problem =
      posix_spawn(&child, program.c_str(), nullptr, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  if (problem != 0) {
    throw Error(ErrorKind::kBadInput,
                fmt::format("{} could not be started: {}.", program, std::strerror(problem)));
  }
  return child;
}

}  // namespace

std::string find_desktop_program() {
  std::error_code none;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", none);
  if (!none && can_run(self.parent_path() / kName)) return self.parent_path() / kName;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (const auto file = std::filesystem::path(folder) / kName; can_run(file)) return file;
  }
  return {};
}

int run_desktop_program(const std::string& program, const std::vector<std::string>& arguments) {
  const pid_t child = start(program, arguments);
  int status = 0;
  // A stop is a request to this thread and would not end a wait for the other program.
  for (bool told = false; waitpid(child, &status, WNOHANG) == 0;) {
    if (!told && stop_requested()) told = kill(child, SIGTERM) == 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  throw_if_stopped();
  throw Error(ErrorKind::kInternal, fmt::format("{} was ended by the signal \"{}\".", program,
                                                strsignal(WTERMSIG(status))));
}

}  // namespace farstate
