// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
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

// A folder fails only when it is read, a pipe without a writer blocks for ever, and a device has
// no end: whatever is no regular file is refused before it is opened.
void refuse_other_than_file(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  if (!std::filesystem::exists(status) || std::filesystem::is_regular_file(status)) return;
  throw Error(ErrorKind::kBadInput,
              fmt::format("Cannot read {}: it is {}.", path,
                          std::filesystem::is_directory(status) ? "a folder"
                                                                : "no regular file; save it to one"));
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
  refuse_other_than_file(path);
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) fail(path, "read", errno != 0 ? errno : ENOENT);
  std::string content((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (in.bad()) fail(path, "read", EIO);
  return content;
}

void write_file_atomic(const std::string& name, const std::function<void(std::ostream&)>& write) {
  std::error_code ignored;
  // A link stays a link: the file that it names is replaced.
  const std::filesystem::path target = std::filesystem::canonical(name, ignored);
  const std::string path = ignored ? name : target.string();
  if (!ignored && std::filesystem::is_directory(target)) {
    throw Error(ErrorKind::kBadInput, fmt::format("Cannot write {}: it is a folder.", name));
  }
  if (!ignored && !std::filesystem::is_regular_file(target)) {
    // A device or a pipe: a file renamed over it would take its place.
    std::ofstream out(path, std::ios::binary);
    write(out);
    out.close();
    if (!out) fail(name, "write", EIO);
    return;
  }
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
    std::filesystem::remove(beside, ignored);
    throw;
  }
}

void write_file_atomic(const std::string& path, std::string_view content) {
  write_file_atomic(path, [&](std::ostream& out) {
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
  });
}

void check_writable(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  if (::access(folder.c_str(), W_OK) != 0) fail(path, "write", errno);
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) fail(path, "write", EISDIR);
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
  refuse_other_than_file(path);
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) fail(path, "read", errno);
  struct stat info {};
  if (::fstat(fd, &info) != 0) {
    const int error = errno;
    ::close(fd);
    fail(path, "read", error);
  }
  size_ = static_cast<size_t>(info.st_size);
  const auto nanoseconds = [](const timespec& time) {
    return time.tv_sec * int64_t{1000000000} + time.tv_nsec;
  };
  identity_ = {info.st_dev, info.st_ino, info.st_size, nanoseconds(info.st_mtim),
               nanoseconds(info.st_ctim)};
  if (size_ > 0) {
    data_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd, 0);
    const int error = errno;
    ::close(fd);
    if (data_ == MAP_FAILED) fail(path, "map", error);
  } else {
    ::close(fd);
  }
}

void MappedFile::release(std::string_view range) const {
  // Whole pages within the range: what lies beside it may still be needed.
  const auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto first = reinterpret_cast<uintptr_t>(range.data());
  const uintptr_t begin = (first + page - 1) / page * page;
  const uintptr_t end = (first + range.size()) / page * page;
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

}  // namespace farstate
