// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/arrow_stream.h"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

#include "core/base/error.h"
#include "core/base/utf8.h"

namespace farstate {
namespace {

static_assert(std::endian::native == std::endian::little, "Arrow's own numbers are little-endian");

[[noreturn]] void fail(const std::string& source, const std::string& why) {
  throw Error(ErrorKind::kBadInput, fmt::format("{}: {}", source, why));
}

template <typename T>
T number_at(std::string_view bytes, uint64_t at, const std::string& source) {
  if (at > bytes.size() || bytes.size() - at < sizeof(T)) {
    fail(source, fmt::format("it refers to byte {} of a part with {} bytes; it is damaged or was cut "
                             "off.",
                             at, bytes.size()));
  }
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

// A table of a flatbuffer (https://flatbuffers.dev/internals): its fields are found through a table
// of offsets, in which trailing and absent fields have none.
class FlatTable {
 public:
  FlatTable(std::string_view buffer, uint64_t at, const std::string& source)
      : buffer_(buffer), at_(at), source_(source) {
    const auto back = number<int32_t>(at);
    const int64_t fields = static_cast<int64_t>(at) - back;
    if (fields < 0) fail(source, "a part of its description lies before the description.");
    fields_ = static_cast<uint64_t>(fields);
    fields_size_ = number<uint16_t>(fields_);
  }

  static FlatTable root(std::string_view buffer, const std::string& source) {
    return {buffer, number_at<uint32_t>(buffer, 0, source), source};
  }

  template <typename T>
  T value(int field, T absent) const {
    const auto place = find(field);
    return place ? number<T>(*place) : absent;
  }
  bool has(int field) const { return find(field).has_value(); }
  FlatTable table(int field) const { return {buffer_, target(field), source_}; }
  std::string_view text(int field) const {
    const uint64_t begin = target(field);
    return bytes(begin + sizeof(uint32_t), number<uint32_t>(begin));
  }

  // A vector's elements, of `size` bytes each.
  uint64_t count(int field, uint64_t size) const {
    if (!has(field)) return 0;
    const uint64_t begin = target(field);
    const uint64_t n = number<uint32_t>(begin);
    bytes(begin + sizeof(uint32_t), n * size);
    return n;
  }
  FlatTable table_of(int field, uint64_t i) const {
    const uint64_t at = target(field) + sizeof(uint32_t) * (1 + i);
    return {buffer_, at + number<uint32_t>(at), source_};
  }
  // A vector of structs of two 64-bit numbers.
  struct Pair {
    int64_t first, second;
  };
  Pair pair_of(int field, uint64_t i) const {
    const uint64_t at = target(field) + sizeof(uint32_t) + i * sizeof(Pair);
    return {number<int64_t>(at), number<int64_t>(at + sizeof(int64_t))};
  }

 private:
  template <typename T>
  T number(uint64_t at) const {
    return number_at<T>(buffer_, at, source_);
  }
  std::string_view bytes(uint64_t at, uint64_t size) const {
    if (at > buffer_.size() || buffer_.size() - at < size) {
      fail(source_, "a part of its description lies outside; it is damaged or was cut off.");
    }
    return buffer_.substr(at, size);
  }
  std::optional<uint64_t> find(int field) const {
    const uint64_t entry = sizeof(uint16_t) * (2 + static_cast<uint64_t>(field));
    if (entry + sizeof(uint16_t) > fields_size_) return std::nullopt;
    const auto offset = number<uint16_t>(fields_ + entry);
    if (offset == 0) return std::nullopt;
    return at_ + offset;
  }
  uint64_t target(int field) const {
    const auto place = find(field);
    if (!place) fail(source_, "a part of its description is missing.");
    return *place + number<uint32_t>(*place);
  }

  std::string_view buffer_;
  uint64_t at_;
  const std::string& source_;
  uint64_t fields_ = 0;
  uint16_t fields_size_ = 0;
};

// Of the format's schema, by the order of the fields.
namespace message {
constexpr int kHeaderType = 1, kHeader = 2, kBodyLength = 3;
constexpr uint8_t kSchema = 1, kRecordBatch = 3;
}  // namespace message
namespace schema {
constexpr int kEndianness = 0, kFields = 1;
}
namespace field {
constexpr int kName = 0, kType = 2, kDictionary = 4;
constexpr uint8_t kUtf8 = 5, kLargeUtf8 = 20;
}  // namespace field
namespace batch {
constexpr int kLength = 0, kNodes = 1, kBuffers = 2, kCompression = 3;
}

constexpr std::string_view kFileMagic("ARROW1\0\0", 8);
constexpr uint32_t kContinuation = 0xFFFFFFFF;

std::string shown(std::string_view name) {
  constexpr size_t kMost = 60;
  std::string text;
  append_valid_utf8(name.substr(0, kMost), text);
  return text;
}

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& source) : bytes_(bytes), source_(source) {}

  std::vector<TextColumn> run() {
    // A file is a stream with its name before it and an index behind.
    if (bytes_.starts_with(kFileMagic)) at_ = kFileMagic.size();
    bool described = false;
    while (const std::optional<FlatTable> header = next_message()) {
      const auto kind = header->value<uint8_t>(message::kHeaderType, 0);
      if (kind == message::kSchema && !described) {
        read_schema(header->table(message::kHeader));
        described = true;
      } else if (kind == message::kRecordBatch && described) {
        read_batch(header->table(message::kHeader));
      } else {
        fail(source_, fmt::format("it holds a part of kind {} where {} was wanted.", kind,
                                  described ? "a batch of rows" : "a table's description"));
      }
    }
    if (!described) fail(source_, "it holds no table.");
    return std::move(columns_);
  }

 private:
  // A stream ends with an empty message. One that just ends is taken for cut off.
  std::optional<FlatTable> next_message() {
    if (number_at<uint32_t>(bytes_, at_, source_) != kContinuation) {
      fail(source_, fmt::format("no part of an Arrow stream begins at byte {}; it is something else "
                                "or damaged.",
                                at_));
    }
    const auto size = number_at<uint32_t>(bytes_, at_ + sizeof(uint32_t), source_);
    at_ += 2 * sizeof(uint32_t);
    if (size == 0) return std::nullopt;
    const std::string_view metadata = take(size);
    const FlatTable header = FlatTable::root(metadata, source_);
    const auto body = header.value<int64_t>(message::kBodyLength, 0);
    if (body < 0) fail(source_, fmt::format("a part has {} bytes.", body));
    body_ = take(static_cast<uint64_t>(body));
    return header;
  }

  std::string_view take(uint64_t size) {
    if (bytes_.size() - at_ < size) {
      fail(source_, fmt::format("a part at byte {} should have {} bytes, but the file has {}; it was "
                                "cut off.",
                                at_, size, bytes_.size()));
    }
    const std::string_view part = bytes_.substr(at_, size);
    at_ += size;
    return part;
  }

  void read_schema(const FlatTable& description) {
    if (description.value<int16_t>(schema::kEndianness, 0) != 0) {
      fail(source_, "its numbers are big-endian, which is not read; write it on another machine.");
    }
    const uint64_t fields = description.count(schema::kFields, sizeof(uint32_t));
    for (uint64_t i = 0; i < fields; ++i) {
      const FlatTable one = description.table_of(schema::kFields, i);
      const std::string_view name = one.text(field::kName);
      const auto type = one.value<uint8_t>(field::kType, 0);
      if ((type != field::kUtf8 && type != field::kLargeUtf8) || one.has(field::kDictionary)) {
        fail(source_, fmt::format("the column \"{}\" is no plain column of strings; remove it, or "
                                  "write the table as JSON.",
                                  shown(name)));
      }
      columns_.push_back({name, {}});
      wide_.push_back(type == field::kLargeUtf8);
    }
  }

  void read_batch(const FlatTable& rows) {
    if (rows.has(batch::kCompression)) {
      fail(source_, "it is compressed, which is not read; write it without compression.");
    }
    // Of each column: which rows have a value, where their texts begin, the texts.
    constexpr uint64_t kBuffers = 3;
    const auto length = rows.value<int64_t>(batch::kLength, 0);
    if (length < 0 || rows.count(batch::kNodes, sizeof(FlatTable::Pair)) != columns_.size() ||
        rows.count(batch::kBuffers, sizeof(FlatTable::Pair)) != kBuffers * columns_.size()) {
      fail(source_, "a batch of rows does not fit the table's description.");
    }
    for (uint64_t c = 0; c < columns_.size(); ++c) {
      const auto [node_length, missing] = rows.pair_of(batch::kNodes, c);
      if (node_length != length) {
        fail(source_, fmt::format("the column \"{}\" has {} rows of {}.",
                                  shown(columns_[c].name), node_length, length));
      }
      if (missing != 0) {
        fail(source_, fmt::format("the column \"{}\" lacks {} of its values.",
                                  shown(columns_[c].name), missing));
      }
      const std::string_view places = buffer(rows.pair_of(batch::kBuffers, kBuffers * c + 1));
      const std::string_view texts = buffer(rows.pair_of(batch::kBuffers, kBuffers * c + 2));
      if (wide_[c]) {
        add_rows<int64_t>(columns_[c], places, texts, length);
      } else {
        add_rows<int32_t>(columns_[c], places, texts, length);
      }
    }
  }

  std::string_view buffer(const FlatTable::Pair& place) const {
    const auto size = static_cast<int64_t>(body_.size());
    if (place.first < 0 || place.second < 0 || place.first > size ||
        place.second > size - place.first) {
      fail(source_, fmt::format("{} bytes from {} on are named of a batch with {}.", place.second,
                                place.first, size));
    }
    return body_.substr(static_cast<size_t>(place.first), static_cast<size_t>(place.second));
  }

  template <typename Offset>
  void add_rows(TextColumn& column, std::string_view places, std::string_view texts,
                int64_t length) {
    const auto size = static_cast<int64_t>(texts.size());
    // A row takes some bytes of its own: a small file can't stand for a huge table.
    read_rows_ += static_cast<uint64_t>(length);
    if (static_cast<uint64_t>(length) > bytes_.size() || read_rows_ > bytes_.size()) {
      fail(source_, fmt::format("it should have {} values in its {} bytes.", read_rows_,
                                bytes_.size()));
    }
    for (int64_t row = 0; row < length; ++row) {
      const auto at = static_cast<uint64_t>(row) * sizeof(Offset);
      const int64_t begin = number_at<Offset>(places, at, source_);
      const int64_t end = number_at<Offset>(places, at + sizeof(Offset), source_);
      if (begin < 0 || begin > end || end > size) {
        fail(source_, fmt::format("row {} of the column \"{}\" is said to be the bytes {} to {} of {}.",
                                  column.rows.size() + 1, shown(column.name), begin, end, size));
      }
      column.rows.push_back(
          texts.substr(static_cast<size_t>(begin), static_cast<size_t>(end - begin)));
    }
  }

  std::string_view bytes_;
  const std::string& source_;
  uint64_t at_ = 0;
  std::string_view body_;  // of the message that was read last
  std::vector<TextColumn> columns_;
  std::vector<bool> wide_;  // by column
  uint64_t read_rows_ = 0;  // of all columns
};

}  // namespace

std::vector<TextColumn> parse_arrow_text(std::string_view bytes, const std::string& source) {
  return Reader(bytes, source).run();
}

}  // namespace farstate
