// SPDX-License-Identifier: GPL-3.0-or-later
// The zip archives that torch.save writes: every entry stored, none compressed, so that an entry
// is a range of the mapped file. Sizes and offsets come from the central directory (PKWARE's
// APPNOTE 6.3.10, sections 4.3 and 4.5.3 for ZIP64); local headers, which torch writes without
// sizes, only say where the data begin.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/file.h"

namespace farstate {

class ZipArchive {
 public:
  // Throws Error(kBadInput) naming the file and the entry: compressed or encrypted entries, ranges
  // outside the file or over one another, names that occur twice.
  explicit ZipArchive(const std::string& path);
  // Over bytes that outlive the object; `source` names them in messages.
  ZipArchive(std::string_view bytes, const std::string& source);

  const std::string& source() const { return source_; }
  const std::shared_ptr<const MappedFile>& file() const { return file_; }
  const std::map<std::string, std::string_view>& entries() const { return entries_; }

 private:
  struct Directory;

  void read();
  Directory find_directory() const;
  std::string_view entry_bytes(const std::string& name, uint64_t header, uint64_t size,
                               uint64_t limit) const;
  void check_overlap() const;
  [[noreturn]] void fail(const std::string& why) const;

  std::string source_;
  std::shared_ptr<const MappedFile> file_;
  std::string_view bytes_;
  std::map<std::string, std::string_view> entries_;
};

}  // namespace farstate
