// SPDX-License-Identifier: GPL-3.0-or-later
// A child process with mounts of its own: disks that are small or read-only, for root and others.
#pragma once

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <exception>
#include <fstream>
#include <optional>
#include <string>

namespace farstate::testing {

inline bool enter_own_mounts() {
  const std::string uid = std::to_string(getuid()), gid = std::to_string(getgid());
  if (unshare(CLONE_NEWNS) != 0) {
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
    std::ofstream("/proc/self/setgroups") << "deny";
    std::ofstream("/proc/self/uid_map") << "0 " + uid + " 1";
    std::ofstream("/proc/self/gid_map") << "0 " + gid + " 1";
  }
  return mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

// Mounts a disk of that size, "512k", over the folder; called in the child.
inline bool mount_disk(const std::string& folder, const std::string& size) {
  return mount("tmpfs", folder.c_str(), "tmpfs", 0, ("size=" + size).c_str()) == 0;
}
inline bool make_read_only(const std::string& folder) {
  return mount("none", folder.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) == 0;
}

// What `work` returns in a child process, or the sentence of what it throws; empty: the child died.
template <typename Work>
std::optional<std::string> in_child(const Work& work) {
  int ends[2];
  if (pipe(ends) != 0) return std::nullopt;
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    std::string text;
    try {
      text = work();
    } catch (const std::exception& error) {
      text = error.what();
    }
    const bool written = write(ends[1], text.data(), text.size()) == std::ssize(text);
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t n = 0; (n = read(ends[0], buffer, sizeof(buffer))) > 0;) {
    text.append(buffer, static_cast<size_t>(n));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? std::optional(text) : std::nullopt;
}

// The same with mounts of its own; empty also where this machine lets nobody have them.
template <typename Work>
std::optional<std::string> with_own_mounts(const Work& work) {
  return in_child([&] {
    if (!enter_own_mounts()) _exit(1);
    return work();
  });
}

}  // namespace farstate::testing
