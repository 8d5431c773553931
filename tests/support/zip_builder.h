// SPDX-License-Identifier: GPL-3.0-or-later
// Zip archives byte by byte, true or lying in any field, for tests of the reader.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/little_endian.h"

namespace farstate::testing {

struct ZipMember {
  std::string name;
  std::string data;
  uint16_t flags = 0;
  uint16_t method = 0;  // 0: stored
  bool zip64 = false;   // sizes and offset in an extra field of the central directory
  // What the central directory says instead of the truth.
  std::optional<uint64_t> size = {}, packed_size = {}, offset = {};
  std::optional<std::string> extra = {};  // the whole extra field
  std::optional<std::string> local_signature = {};
};

struct ZipEnd {
  bool zip64 = false;
  std::optional<uint64_t> members, directory_size, directory_offset;
  std::optional<uint64_t> zip64_record_offset;
  std::string comment;
  std::optional<uint16_t> comment_length;
};

inline std::string zip_extra64(uint64_t size, uint64_t packed_size, uint64_t offset) {
  return le(2, 0x0001) + le(2, 24) + le(8, size) + le(8, packed_size) + le(8, offset);
}

inline std::string zip_bytes(const std::vector<ZipMember>& members, const ZipEnd& end = {}) {
  constexpr uint64_t kIn64 = 0xffffffff;
  std::string out, directory;
  for (const ZipMember& m : members) {
    const uint64_t size = m.size.value_or(m.data.size());
    const uint64_t packed_size = m.packed_size.value_or(m.data.size());
    const uint64_t offset = m.offset.value_or(out.size());
    out += m.local_signature.value_or("PK\3\4") + le(2, 20) + le(2, m.flags) + le(2, m.method) +
           le(4, 0) + le(4, 0) + le(4, m.data.size()) + le(4, m.data.size()) +
           le(2, m.name.size()) + le(2, 0) + m.name + m.data;
    const std::string extra =
        m.extra.value_or(m.zip64 ? zip_extra64(size, packed_size, offset) : "");
    directory += "PK\1\2" + le(2, 20) + le(2, 20) + le(2, m.flags) + le(2, m.method) + le(4, 0) +
                 le(4, 0) + le(4, m.zip64 ? kIn64 : packed_size) + le(4, m.zip64 ? kIn64 : size) +
                 le(2, m.name.size()) + le(2, extra.size()) + le(2, 0) + le(2, 0) + le(2, 0) +
                 le(4, 0) + le(4, m.zip64 ? kIn64 : offset) + m.name + extra;
  }
  const uint64_t count = end.members.value_or(members.size());
  const uint64_t directory_size = end.directory_size.value_or(directory.size());
  const uint64_t directory_offset = end.directory_offset.value_or(out.size());
  out += directory;
  if (end.zip64) {
    const uint64_t record = end.zip64_record_offset.value_or(out.size());
    out += "PK\6\6" + le(8, 44) + le(2, 45) + le(2, 45) + le(4, 0) + le(4, 0) + le(8, count) +
           le(8, count) + le(8, directory_size) + le(8, directory_offset);
    out += "PK\6\7" + le(4, 0) + le(8, record) + le(4, 1);
  }
  out += "PK\5\6" + le(2, 0) + le(2, 0) + le(2, end.zip64 ? 0xffff : count) +
         le(2, end.zip64 ? 0xffff : count) + le(4, end.zip64 ? kIn64 : directory_size) +
         le(4, end.zip64 ? kIn64 : directory_offset) +
         le(2, end.comment_length.value_or(static_cast<uint16_t>(end.comment.size()))) +
         end.comment;
  return out;
}

}  // namespace farstate::testing
