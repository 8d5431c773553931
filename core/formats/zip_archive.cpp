// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/zip_archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/base/error.h"
#include "core/formats/file_kind.h"

namespace farstate {
namespace {

constexpr uint32_t kLocalHeader = 0x04034b50;
constexpr uint32_t kCentralHeader = 0x02014b50;
constexpr uint32_t kEnd = 0x06054b50;
constexpr uint32_t kZip64End = 0x06064b50;
constexpr uint32_t kZip64Locator = 0x07064b50;

constexpr size_t kLocalSize = 30;
constexpr size_t kCentralSize = 46;
constexpr size_t kEndSize = 22;
constexpr size_t kZip64EndSize = 56;
constexpr size_t kZip64LocatorSize = 20;
constexpr size_t kLongestComment = 0xFFFF;

constexpr uint16_t kZip64Extra = 0x0001;
constexpr uint32_t kInZip64 = 0xFFFFFFFF;  // a field whose value stands in the ZIP64 extra
constexpr uint16_t kEncrypted = 0x0001;

// Little-endian, at any alignment; the caller has checked that it lies within `bytes`.
template <typename T>
T number(std::string_view bytes, size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

}  // namespace

// The central directory: where its `count` entries lie.
struct ZipArchive::Directory {
  uint64_t count = 0;
  uint64_t begin = 0;
  uint64_t end = 0;
};

ZipArchive::ZipArchive(const std::string& path)
    : source_(path), file_(std::make_shared<const MappedFile>(path)), bytes_(file_->bytes()) {
  read();
}

ZipArchive::ZipArchive(std::string_view bytes, const std::string& source)
    : source_(source), bytes_(bytes) {
  read();
}

void ZipArchive::fail(const std::string& why) const {
  throw Error(ErrorKind::kBadInput, fmt::format("{}: {}", source_, why));
}

ZipArchive::Directory ZipArchive::find_directory() const {
  if (!bytes_.starts_with("PK")) {
    const std::string kind = file_kind(bytes_);
    fail(fmt::format("it is no file of torch.save but {}.",
                     kind.empty() ? "something else, or damaged at its beginning" : kind));
  }
  // The end record is the last thing in the file, but for a comment that it gives the length of.
  const size_t lowest = bytes_.size() > kEndSize + kLongestComment
                            ? bytes_.size() - kEndSize - kLongestComment
                            : 0;
  for (size_t at = bytes_.size() < kEndSize ? 0 : bytes_.size() - kEndSize + 1; at-- > lowest;) {
    if (number<uint32_t>(bytes_, at) != kEnd) continue;
    if (at + kEndSize + number<uint16_t>(bytes_, at + 20) != bytes_.size()) continue;
    Directory directory;
    directory.count = number<uint16_t>(bytes_, at + 10);
    uint64_t size = number<uint32_t>(bytes_, at + 12);
    directory.begin = number<uint32_t>(bytes_, at + 16);
    uint64_t limit = at;
    if (at >= kZip64LocatorSize &&
        number<uint32_t>(bytes_, at - kZip64LocatorSize) == kZip64Locator) {
      const uint64_t end64 = number<uint64_t>(bytes_, at - kZip64LocatorSize + 8);
      if (at < kZip64LocatorSize + kZip64EndSize ||
          end64 > at - kZip64LocatorSize - kZip64EndSize ||
          number<uint32_t>(bytes_, end64) != kZip64End) {
        fail(fmt::format("its ZIP64 end record should be at byte {}, and is not; the file is "
                         "damaged.",
                         end64));
      }
      directory.count = number<uint64_t>(bytes_, end64 + 32);
      size = number<uint64_t>(bytes_, end64 + 40);
      directory.begin = number<uint64_t>(bytes_, end64 + 48);
      limit = end64;
    }
    if (directory.begin > limit || size > limit - directory.begin) {
      fail(fmt::format("its table of entries should lie at [{}, {}+{}), beyond the end of the data "
                       "at byte {}; the file is damaged.",
                       directory.begin, directory.begin, size, limit));
    }
    directory.end = directory.begin + size;
    return directory;
  }
  fail(fmt::format("it has {} bytes and no table of entries at its end: it was cut off; fetch it "
                   "again.",
                   bytes_.size()));
}

void ZipArchive::read() {
  const Directory directory = find_directory();
  uint64_t at = directory.begin;
  for (uint64_t i = 0; i < directory.count; ++i) {
    if (directory.end - at < kCentralSize || number<uint32_t>(bytes_, at) != kCentralHeader) {
      fail(fmt::format("entry {} of {} in its table is damaged.", i + 1, directory.count));
    }
    const auto flags = number<uint16_t>(bytes_, at + 8);
    const auto method = number<uint16_t>(bytes_, at + 10);
    uint64_t packed = number<uint32_t>(bytes_, at + 20);
    uint64_t size = number<uint32_t>(bytes_, at + 24);
    const auto name_size = number<uint16_t>(bytes_, at + 28);
    const auto extra_size = number<uint16_t>(bytes_, at + 30);
    const auto comment_size = number<uint16_t>(bytes_, at + 32);
    uint64_t header = number<uint32_t>(bytes_, at + 42);
    at += kCentralSize;
    if (directory.end - at < uint64_t{name_size} + extra_size + comment_size) {
      fail(fmt::format("entry {} of {} in its table is cut off.", i + 1, directory.count));
    }
    const std::string name(bytes_.substr(at, name_size));
    const std::string_view extra = bytes_.substr(at + name_size, extra_size);
    at += uint64_t{name_size} + extra_size + comment_size;

    // The 64-bit values stand in the extra in this order, those only whose field says so.
    uint64_t* wide[] = {&size, &packed, &header};
    for (size_t e = 0; e + 4 <= extra.size();) {
      const auto id = number<uint16_t>(extra, e);
      const auto length = number<uint16_t>(extra, e + 2);
      e += 4;
      if (length > extra.size() - e) fail(fmt::format("entry \"{}\" has a damaged extra.", name));
      size_t value = e;
      for (uint64_t* field : wide) {
        if (id != kZip64Extra || *field != kInZip64 || e + length - value < 8) continue;
        *field = number<uint64_t>(extra, value);
        value += 8;
      }
      e += length;
    }
    if ((flags & kEncrypted) != 0) fail(fmt::format("entry \"{}\" is encrypted.", name));
    if (method != 0) {
      fail(fmt::format("entry \"{}\" is compressed (method {}); torch.save stores its entries as "
                       "they are.",
                       name, method));
    }
    if (packed != size) {
      fail(fmt::format("entry \"{}\" is stored in {} bytes, but should have {}.", name, packed,
                       size));
    }
    if (!entries_.emplace(name, entry_bytes(name, header, size, directory.begin)).second) {
      fail(fmt::format("it holds the entry \"{}\" twice.", name));
    }
  }
  if (at != directory.end) {
    fail(fmt::format("its table should have {} entries, but {} bytes follow the last one; the file is "
                     "damaged.",
                     directory.count, directory.end - at));
  }
  check_overlap();
}

// `limit`: where the data of entries end.
std::string_view ZipArchive::entry_bytes(const std::string& name, uint64_t header, uint64_t size,
                                         uint64_t limit) const {
  if (header > limit || limit - header < kLocalSize ||
      number<uint32_t>(bytes_, header) != kLocalHeader) {
    fail(fmt::format("entry \"{}\" should begin at byte {}, and does not; the file is damaged.", name,
                     header));
  }
  const uint64_t data = header + kLocalSize + number<uint16_t>(bytes_, header + 26) +
                        number<uint16_t>(bytes_, header + 28);
  if (bytes_.substr(header + kLocalSize, number<uint16_t>(bytes_, header + 26)) != name) {
    fail(fmt::format("entry \"{}\" has another name where its data are; the file is damaged.", name));
  }
  if (data > limit || size > limit - data) {
    fail(fmt::format("entry \"{}\" of {} bytes reaches beyond the data's end at byte {}; the file is "
                     "damaged.",
                     name, size, limit));
  }
  // A sum over the data is not compared: torch can write archives without one, and a good file of
  // many GB would be read twice.
  return bytes_.substr(data, size);
}

void ZipArchive::check_overlap() const {
  std::vector<std::pair<std::string_view, const std::string*>> ranges;
  for (const auto& [name, bytes] : entries_) {
    if (!bytes.empty()) ranges.emplace_back(bytes, &name);
  }
  std::sort(ranges.begin(), ranges.end(), [](const auto& a, const auto& b) {
    return a.first.data() < b.first.data();
  });
  for (size_t i = 1; i < ranges.size(); ++i) {
    const std::string_view before = ranges[i - 1].first;
    if (before.data() + before.size() > ranges[i].first.data()) {
      fail(fmt::format("the entries \"{}\" and \"{}\" overlap.", *ranges[i - 1].second,
                       *ranges[i].second));
    }
  }
}

}  // namespace farstate
