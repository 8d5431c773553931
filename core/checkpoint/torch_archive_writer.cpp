// SPDX-License-Identifier: GPL-3.0-or-later
// A zip archive whose entries are stored and begin at multiples of 64 bytes, so that a reader can
// map them (PKWARE's APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.14 to 4.3.16), with a pickle of
// protocol 2 in it.
#include <fmt/format.h>
#include <zlib.h>

#include <filesystem>
#include <limits>

#include "core/base/stop.h"
#include "core/checkpoint/tensor_writers.h"
#include "core/checkpoint/tensors.h"

namespace farstate {
namespace {

template <typename T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

// ----- the archive

constexpr uint64_t kAlignment = 64;
constexpr uint32_t kInZip64 = 0xFFFFFFFF;
constexpr uint16_t kMany = 0xFFFF;
constexpr uint16_t kZip64Extra = 0x0001;
constexpr uint16_t kPaddingExtra = 0x4246;  // "FB", which torch.save pads with as well
constexpr uint16_t kVersion = 45;           // 4.5: ZIP64
constexpr uint16_t kUtf8 = 0x0800;
constexpr uint16_t kDate = (1 << 5) | 1;  // 1 January 1980: equal weights give equal files

class ZipWriter {
 public:
  explicit ZipWriter(std::ostream& out) : out_(out) {}

  void add(const std::string& name, std::string_view data) {
    Entry entry{name, checksum(data), data.size(), at_};
    std::string header;
    put<uint32_t>(header, 0x04034b50);
    put_common(header, entry);
    // Sizes of 4 GiB and more stand in the ZIP64 extra; what is left of a block is padding.
    std::string extra = zip64(entry, /*with_offset=*/false);
    const uint64_t begin = at_ + header.size() + 4 + name.size() + extra.size() + 4;
    const uint64_t padding = (kAlignment - begin % kAlignment) % kAlignment;
    put<uint16_t>(extra, kPaddingExtra);
    put<uint16_t>(extra, static_cast<uint16_t>(padding));
    extra.append(padding, 'Z');
    put<uint16_t>(header, static_cast<uint16_t>(name.size()));
    put<uint16_t>(header, static_cast<uint16_t>(extra.size()));
    write(header + name + extra);
    write(data);
    entries_.push_back(std::move(entry));
  }

  void finish() {
    const uint64_t begin = at_;
    for (const Entry& entry : entries_) {
      std::string header;
      put<uint32_t>(header, 0x02014b50);
      put<uint16_t>(header, kVersion);
      put_common(header, entry);
      const std::string extra = zip64(entry, /*with_offset=*/true);
      put<uint16_t>(header, static_cast<uint16_t>(entry.name.size()));
      put<uint16_t>(header, static_cast<uint16_t>(extra.size()));
      header.append(10, '\0');  // no comment, first disk, no attributes
      put<uint32_t>(header, narrow(entry.offset));
      write(header + entry.name + extra);
    }
    write(end_records(begin, at_ - begin));
  }

 private:
  struct Entry {
    std::string name;
    uint32_t crc;
    uint64_t size;
    uint64_t offset;
  };

  static uint32_t checksum(std::string_view data) {
    uLong crc = crc32_z(0, nullptr, 0);
    crc = crc32_z(crc, reinterpret_cast<const Bytef*>(data.data()), data.size());
    return static_cast<uint32_t>(crc);
  }

  static uint32_t narrow(uint64_t value) {
    return value >= kInZip64 ? kInZip64 : static_cast<uint32_t>(value);
  }

  // From the version that a reader needs to the uncompressed size.
  static void put_common(std::string& header, const Entry& entry) {
    put<uint16_t>(header, kVersion);
    put<uint16_t>(header, kUtf8);
    put<uint16_t>(header, 0);  // stored
    put<uint16_t>(header, 0);  // midnight
    put<uint16_t>(header, kDate);
    put<uint32_t>(header, entry.crc);
    put<uint32_t>(header, narrow(entry.size));
    put<uint32_t>(header, narrow(entry.size));
  }

  static std::string zip64(const Entry& entry, bool with_offset) {
    std::string values;
    if (entry.size >= kInZip64) {
      put<uint64_t>(values, entry.size);
      put<uint64_t>(values, entry.size);
    }
    if (with_offset && entry.offset >= kInZip64) put<uint64_t>(values, entry.offset);
    if (values.empty()) return values;
    std::string extra;
    put<uint16_t>(extra, kZip64Extra);
    put<uint16_t>(extra, static_cast<uint16_t>(values.size()));
    return extra + values;
  }

  std::string end_records(uint64_t begin, uint64_t size) const {
    const uint64_t count = entries_.size();
    std::string records;
    if (begin >= kInZip64 || size >= kInZip64 || count >= kMany) {
      const uint64_t at = begin + size;
      put<uint32_t>(records, 0x06064b50);
      put<uint64_t>(records, 44);  // of what follows
      put<uint16_t>(records, kVersion);
      put<uint16_t>(records, kVersion);
      put<uint64_t>(records, 0);  // both disks
      put<uint64_t>(records, count);
      put<uint64_t>(records, count);
      put<uint64_t>(records, size);
      put<uint64_t>(records, begin);
      put<uint32_t>(records, 0x07064b50);
      put<uint32_t>(records, 0);
      put<uint64_t>(records, at);
      put<uint32_t>(records, 1);
    }
    put<uint32_t>(records, 0x06054b50);
    put<uint32_t>(records, 0);  // both disks
    put<uint16_t>(records, static_cast<uint16_t>(std::min<uint64_t>(count, kMany)));
    put<uint16_t>(records, static_cast<uint16_t>(std::min<uint64_t>(count, kMany)));
    put<uint32_t>(records, narrow(size));
    put<uint32_t>(records, narrow(begin));
    put<uint16_t>(records, 0);
    return records;
  }

  void write(std::string_view bytes) {
    out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    at_ += bytes.size();
  }

  std::ostream& out_;
  uint64_t at_ = 0;
  std::vector<Entry> entries_;
};

// ----- the pickle

const char* storage_type(DType dtype) {
  switch (dtype) {
    case DType::kF64: return "DoubleStorage";
    case DType::kF32: return "FloatStorage";
    case DType::kF16: return "HalfStorage";
    case DType::kBF16: return "BFloat16Storage";
    case DType::kI64: return "LongStorage";
    case DType::kI32: return "IntStorage";
    case DType::kI16: return "ShortStorage";
    case DType::kI8: return "CharStorage";
    case DType::kU8: return "ByteStorage";
    case DType::kBool: return "BoolStorage";
  }
  return "";
}

class Pickler {
 public:
  Pickler() : text_("\x80\x02") {
    ordered_dict();
    text_ += '(';  // keys and values up to finish()
  }

  void add(const std::string& name, const TensorToWrite& tensor, size_t storage) {
    string(name);
    text_ += "ctorch._utils\n_rebuild_tensor_v2\n((";
    string("storage");
    text_ += fmt::format("ctorch\n{}\n", storage_type(tensor.dtype));
    string(std::to_string(storage));
    string("cpu");
    integer(element_count(tensor.shape));
    text_ += "tQ";
    integer(0);
    tuple(tensor.shape);
    tuple(contiguous_strides(tensor.shape));
    text_ += '\x89';  // requires no gradient
    ordered_dict();   // no hooks
    text_ += "tR";
  }

  std::string finish() { return text_ + "u."; }

 private:
  void ordered_dict() { text_ += "ccollections\nOrderedDict\n)R"; }
  void string(const std::string& value) {
    text_ += 'X';
    put<uint32_t>(text_, static_cast<uint32_t>(value.size()));
    text_ += value;
  }
  void integer(int64_t value) {
    if (value <= std::numeric_limits<int32_t>::max()) {
      text_ += 'J';
      put<int32_t>(text_, static_cast<int32_t>(value));
    } else {
      text_ += "\x8a\x08";
      put<int64_t>(text_, value);
    }
  }
  void tuple(const std::vector<int64_t>& values) {
    text_ += '(';
    for (const int64_t value : values) integer(value);
    text_ += 't';
  }

  std::string text_;
};

}  // namespace

void write_torch_archive(const std::string& path, const std::vector<TensorToWrite>& tensors,
                         const std::map<std::string, std::string>& aliases) {
  Pickler pickler;
  for (size_t i = 0; i < tensors.size(); ++i) {
    pickler.add(tensors[i].name, tensors[i], i);
    for (const auto& [alias, name] : aliases) {
      if (name == tensors[i].name) pickler.add(alias, tensors[i], i);
    }
  }
  // torch.save names the folder after the file.
  const std::string root = std::filesystem::path(path).stem().string() + "/";
  write_file_atomic(path, [&](std::ostream& out) {
    ZipWriter zip(out);
    zip.add(root + "data.pkl", pickler.finish());
    zip.add(root + "byteorder", "little");
    for (size_t i = 0; i < tensors.size(); ++i) {
      throw_if_stopped();
      const at::Tensor made = tensors[i].make();
      zip.add(fmt::format("{}data/{}", root, i),
              {static_cast<const char*>(made.data_ptr()), made.nbytes()});
    }
    zip.add(root + "version", "3\n");
    zip.finish();
  });
}

}  // namespace farstate
