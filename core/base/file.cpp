// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/base/error.h"

namespace farstate {
namespace {

[[noreturn]] void fail(const std::string& path, const char* verb, int error) {
  throw Error(ErrorKind::kBadInput,
              fmt::format("Cannot {} {}: {}.", verb, path, std::strerror(error)));
}

// A folder opens like a file and fails only when read, with a sentence nobody understands.
void refuse_folder(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw Error(ErrorKind::kBadInput, fmt::format("Cannot read {}: it is a folder.", path));
  }
}

void sync_to_disk(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) fail(path, "write", errno);
  const int result = ::fsync(fd);
  const int error = errno;
  ::close(fd);
  // EINVAL: a special file that has nothing to flush.
  if (result != 0 && error != EINVAL) fail(path, "write", error);
}

}  // namespace

std::string read_file(const std::string& path) {
  refuse_folder(path);
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) fail(path, "read", errno != 0 ? errno : ENOENT);
  std::string content((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (in.bad()) fail(path, "read", EIO);
  return content;
}

void write_file_atomic(const std::string& path, const std::function<void(std::ostream&)>& write) {
  const std::string beside = fmt::format("{}.{}.part", path, ::getpid());
  try {
    errno = 0;
    std::ofstream out(beside, std::ios::binary | std::ios::trunc);
    if (!out) fail(path, "write", errno != 0 ? errno : EIO);
    write(out);
    out.close();
    if (!out) fail(path, "write", errno != 0 ? errno : EIO);
    sync_to_disk(beside);
    if (std::rename(beside.c_str(), path.c_str()) != 0) fail(path, "write", errno);
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(beside, ignored);
    throw;
  }
}

void write_file_atomic(const std::string& path, std::string_view content) {
  write_file_atomic(path, [&](std::ostream& out) {
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
  });
}

void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error || !std::filesystem::is_directory(path)) {
    throw Error(ErrorKind::kBadInput,
                fmt::format("Cannot create the folder {}: {}.", path,
                            error ? error.message() : "something else has that name"));
  }
}

MappedFile::MappedFile(const std::string& path) : path_(path) {
  refuse_folder(path);
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) fail(path, "read", errno);
  struct stat info {};
  if (::fstat(fd, &info) != 0) {
    const int error = errno;
    ::close(fd);
    fail(path, "read", error);
  }
  size_ = static_cast<size_t>(info.st_size);
  if (size_ > 0) {
    data_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd, 0);
    const int error = errno;
    ::close(fd);
    if (data_ == MAP_FAILED) fail(path, "map", error);
  } else {
    ::close(fd);
  }
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

int64_t resident_memory() {
  std::ifstream statm("/proc/self/statm");
  int64_t total = 0;
  int64_t resident = 0;
  if (!(statm >> total >> resident)) return 0;
  return resident * ::sysconf(_SC_PAGESIZE);
}

}  // namespace farstate
