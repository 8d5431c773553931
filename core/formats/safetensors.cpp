// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/formats/file_kind.h"

namespace farstate {
namespace {

using Json = nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little, "safetensors are little-endian");

constexpr uint64_t kLargestHeader = 100'000'000;  // the reference implementation's own limit
constexpr int kDeepestHeader = 4;                 // of what a header may nest, and one more

struct DTypeName {
  const char* name;
  DType dtype;
};

constexpr DTypeName kDTypes[] = {
    {"F64", DType::kF64}, {"F32", DType::kF32}, {"F16", DType::kF16}, {"BF16", DType::kBF16},
    {"I64", DType::kI64}, {"I32", DType::kI32}, {"I16", DType::kI16}, {"I8", DType::kI8},
    {"U8", DType::kU8},   {"BOOL", DType::kBool}};

using Range = std::pair<uint64_t, uint64_t>;  // of data bytes, [begin, end)

class Parser {
 public:
  Parser(std::string_view bytes, const std::string& source, std::shared_ptr<const MappedFile> file)
      : bytes_(bytes), source_(source), file_(std::move(file)), table_(source) {}

  TensorTable run() {
    uint64_t length = 0;
    if (bytes_.size() < sizeof(length)) {
      fail_as_other(fmt::format("it has {} bytes, too few for a safetensors file.", bytes_.size()));
    }
    std::memcpy(&length, bytes_.data(), sizeof(length));
    if (length > kLargestHeader || length > bytes_.size() - sizeof(length)) {
      fail_as_other(fmt::format("its header should have {} bytes, but the file has {}; it is not a "
                                "safetensors file or was cut off.",
                                length, bytes_.size()));
    }
    data_ = bytes_.substr(sizeof(length) + length);
    const Json header = parse_header(bytes_.substr(sizeof(length), length));
    for (const auto& [name, json] : header.items()) {
      if (!json.is_object()) fail(fmt::format("\"{}\" is not an object.", name));
      if (name == "__metadata__") {
        read_metadata(json);
      } else {
        table_.add(name, tensor(name, json));
      }
    }
    check_cover();
    return std::move(table_);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw Error(ErrorKind::kBadInput, fmt::format("{}: {}", source_, why));
  }
  [[noreturn]] void fail_as_other(const std::string& why) const {
    const std::string kind = file_kind(bytes_);
    fail(kind.empty() ? why : fmt::format("it is no safetensors file but {}.", kind));
  }

  // A JSON parser keeps the last of two equal keys; a checkpoint that says two things is refused.
  Json parse_header(std::string_view text) const {
    std::vector<std::set<std::string>> keys;
    std::string twice;
    bool deep = false;
    const auto callback = [&](int depth, Json::parse_event_t event, Json& parsed) {
      deep = deep || depth > kDeepestHeader;
      if (event == Json::parse_event_t::object_start) keys.emplace_back();
      if (event == Json::parse_event_t::object_end) keys.pop_back();
      if (event == Json::parse_event_t::key &&
          !keys.back().insert(parsed.get<std::string>()).second) {
        twice = parsed.get<std::string>();
      }
      return depth <= kDeepestHeader;
    };
    Json header = Json::parse(text, callback, /*allow_exceptions=*/false);
    if (!twice.empty()) fail(fmt::format("the header names \"{}\" twice.", twice));
    if (deep) fail("the header nests deeper than a table of tensors.");
    if (!header.is_object()) fail("the header is not a JSON object; is it a safetensors file?");
    return header;
  }

  void read_metadata(const Json& json) {
    for (const auto& [key, value] : json.items()) {
      if (!value.is_string()) {
        fail(fmt::format("\"__metadata__\": \"{}\" is {}, but must be a string.", key,
                         short_text(value)));
      }
      table_.metadata[key] = value.get<std::string>();
    }
  }

  uint64_t size(const std::string& name, const Json& json) const {
    if (!json.is_number_unsigned()) {
      fail(fmt::format("tensor \"{}\": {} is not a size.", name, short_text(json)));
    }
    return json.get<uint64_t>();
  }

  DType dtype(const std::string& name, const std::string& found) const {
    for (const DTypeName& d : kDTypes) {
      if (found == d.name) return d.dtype;
    }
    fail(fmt::format("tensor \"{}\" has the dtype \"{}\", which Farstate does not read (F32, F16, "
                     "BF16, F64).",
                     name, found));
  }

  StoredTensor tensor(const std::string& name, const Json& json) {
    for (const char* key : {"dtype", "shape", "data_offsets"}) {
      if (!json.contains(key)) fail(fmt::format("tensor \"{}\" has no {}.", name, key));
    }
    if (!json["dtype"].is_string() || !json["shape"].is_array() ||
        !json["data_offsets"].is_array() || json["data_offsets"].size() != 2) {
      fail(fmt::format("tensor \"{}\" is described wrongly: wanted a dtype as a string, a shape as "
                       "an array, and two data_offsets.",
                       name));
    }
    StoredTensor tensor;
    tensor.dtype = dtype(name, json["dtype"].get<std::string>());
    auto wanted = static_cast<uint64_t>(size_of(tensor.dtype));
    for (const Json& extent : json["shape"]) {
      const uint64_t n = size(name, extent);
      if (n > (uint64_t{1} << 48) || __builtin_mul_overflow(wanted, n, &wanted)) {
        fail(fmt::format("tensor \"{}\": its shape overflows.", name));
      }
      tensor.shape.push_back(static_cast<int64_t>(n));
    }
    const uint64_t begin = size(name, json["data_offsets"][0]);
    const uint64_t end = size(name, json["data_offsets"][1]);
    if (begin > end || end > data_.size()) {
      fail(fmt::format("tensor \"{}\" lies at [{}, {}) of {} data bytes; the file was cut off or "
                       "its header is wrong.",
                       name, begin, end, data_.size()));
    }
    if (end - begin != wanted) {
      fail(fmt::format("tensor \"{}\" has {} bytes, but its shape and dtype need {}.", name,
                       end - begin, wanted));
    }
    ranges_.emplace_back(begin, end);
    tensor.strides = contiguous_strides(tensor.shape);
    tensor.bytes = data_.substr(begin, wanted);
    tensor.file = file_;
    return tensor;
  }

  // The tensors cover the data without a hole, so that no byte has a second meaning.
  void check_cover() {
    std::sort(ranges_.begin(), ranges_.end());
    uint64_t covered = 0;
    for (const auto& [begin, end] : ranges_) {
      if (begin != covered) {
        fail(fmt::format("its tensors {} at data byte {}.",
                         begin < covered ? "overlap" : "leave a hole", std::min(begin, covered)));
      }
      covered = end;
    }
    if (covered != data_.size()) {
      fail(fmt::format("{} bytes follow the last tensor.", data_.size() - covered));
    }
  }

  std::string_view bytes_;
  std::string_view data_;
  const std::string& source_;
  std::shared_ptr<const MappedFile> file_;
  TensorTable table_;
  std::vector<Range> ranges_;
};

}  // namespace

TensorTable read_safetensors(const std::string& path) {
  auto file = std::make_shared<const MappedFile>(path);
  return Parser(file->bytes(), path, file).run();
}

TensorTable parse_safetensors(std::string_view bytes, const std::string& source) {
  return Parser(bytes, source, nullptr).run();
}

const char* safetensors_name(DType dtype) {
  for (const DTypeName& d : kDTypes) {
    if (dtype == d.dtype) return d.name;
  }
  throw Error(ErrorKind::kInternal, "safetensors: no name for this dtype.");
}

}  // namespace farstate
