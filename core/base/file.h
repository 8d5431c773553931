// SPDX-License-Identifier: GPL-3.0-or-later
// Files: read whole, mapped, and written so that a name never holds half a file.
#pragma once

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>

namespace farstate {

// Throws Error(kBadInput) naming the path and the reason.
std::string read_file(const std::string& path);

// Writes to a temporary name in the same folder, flushes it to the disk and renames it over
// `path`: a reader, and the next start after a crash or a full disk, sees the old file or the new
// one. Throws Error(kBadInput) and leaves the old file alone.
void write_file_atomic(const std::string& path, std::string_view content);
void write_file_atomic(const std::string& name, const std::function<void(std::ostream&)>& write);

// Throws Error(kBadInput) if no file can be made at `path`: asked before work whose result would
// otherwise be lost.
void check_writable(const std::string& path);

// Creates the folder and its parents. Throws Error(kBadInput) naming it.
void make_folder(const std::string& path);

// What tells whether a file is still the one that was read.
struct FileIdentity {
  uint64_t device = 0, inode = 0;
  // changed: also by a write that sets the time of modification back.
  int64_t size = 0, modified_ns = 0, changed_ns = 0;
  bool operator==(const FileIdentity&) const = default;
};

// A whole file, read-only, paged in by the system as it is touched.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path);  // throws Error(kBadInput)
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return {static_cast<const char*>(data_), size_}; }
  const std::string& path() const { return path_; }
  const FileIdentity& identity() const { return identity_; }
  // Lets go of the memory behind a range that was read; read again, it is paged in again.
  void release(std::string_view range) const;

 private:
  std::string path_;
  void* data_ = nullptr;
  size_t size_ = 0;
  FileIdentity identity_;
};

}  // namespace farstate
