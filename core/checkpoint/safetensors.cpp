// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/safetensors.h"

#include <ATen/ops/empty.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/error.h"
#include "core/base/json_text.h"

namespace farstate {
namespace {

using Json = nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little, "safetensors are little-endian");

constexpr uint64_t kLargestHeader = 100'000'000;  // the reference implementation's own limit

[[noreturn]] void fail(const std::string& source, const std::string& why) {
  throw Error(ErrorKind::kBadInput, fmt::format("{}: {}", source, why));
}

struct DtypeName {
  const char* name;
  at::ScalarType dtype;
};

constexpr DtypeName kDtypes[] = {{"F32", at::kFloat},    {"F64", at::kDouble},
                                 {"F16", at::kHalf},     {"BF16", at::kBFloat16},
                                 {"I64", at::kLong},     {"I32", at::kInt},
                                 {"U8", at::kByte},      {"BOOL", at::kBool}};

at::ScalarType dtype_from(const std::string& name, const std::string& source,
                        const std::string& tensor) {
  for (const DtypeName& d : kDtypes) {
    if (name == d.name) return d.dtype;
  }
  fail(source, fmt::format("tensor \"{}\" has the dtype \"{}\", which Farstate does not read "
                           "(F32, F16, BF16, F64).",
                           tensor, name));
}

const char* name_of(at::ScalarType dtype) {
  for (const DtypeName& d : kDtypes) {
    if (dtype == d.dtype) return d.name;
  }
  throw Error(ErrorKind::kInternal, "safetensors: no name for this dtype.");
}

// A JSON parser keeps the last of two equal keys; a checkpoint that says two things is refused.
Json parse_unique(std::string_view text, const std::string& source) {
  std::vector<std::set<std::string>> keys;
  std::string twice;
  const auto callback = [&](int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(parsed.get<std::string>()).second) {
      twice = parsed.get<std::string>();
    }
    return true;
  };
  Json header = Json::parse(text, callback, /*allow_exceptions=*/false);
  if (!twice.empty()) fail(source, fmt::format("the header names \"{}\" twice.", twice));
  if (!header.is_object()) {
    fail(source, "the header is not a JSON object; is it a safetensors file?");
  }
  return header;
}

uint64_t unsigned_number(const Json& json, const std::string& source, const std::string& tensor) {
  if (!json.is_number_unsigned()) {
    fail(source, fmt::format("tensor \"{}\": {} is not a size.", tensor, short_text(json)));
  }
  return json.get<uint64_t>();
}

}  // namespace

SafetensorsFile::SafetensorsFile(const std::string& path)
    : file_(std::make_shared<MappedFile>(path)), source_(path) {
  parse(file_->bytes());
}

SafetensorsFile::SafetensorsFile(std::string_view bytes, std::string source)
    : source_(std::move(source)) {
  parse(bytes);
}

void SafetensorsFile::parse(std::string_view bytes) {
  uint64_t length = 0;
  if (bytes.size() < sizeof(length)) {
    fail(source_, fmt::format("it has {} bytes, too few for a safetensors file.", bytes.size()));
  }
  std::memcpy(&length, bytes.data(), sizeof(length));
  if (length > kLargestHeader || length > bytes.size() - sizeof(length)) {
    fail(source_, fmt::format("its header should have {} bytes, but the file has {}; it is not a "
                              "safetensors file or was cut off.",
                              length, bytes.size()));
  }
  const Json header = parse_unique(bytes.substr(sizeof(length), length), source_);
  const std::string_view data = bytes.substr(sizeof(length) + length);

  std::vector<std::pair<uint64_t, uint64_t>> ranges;
  for (const auto& [name, json] : header.items()) {
    if (!json.is_object()) fail(source_, fmt::format("\"{}\" is not an object.", name));
    if (name == "__metadata__") {
      for (const auto& [key, value] : json.items()) {
        if (value.is_string()) metadata_[key] = value.get<std::string>();
      }
      continue;
    }
    for (const char* key : {"dtype", "shape", "data_offsets"}) {
      if (!json.contains(key)) fail(source_, fmt::format("tensor \"{}\" has no {}.", name, key));
    }
    if (!json["dtype"].is_string() || !json["shape"].is_array() ||
        !json["data_offsets"].is_array() || json["data_offsets"].size() != 2) {
      fail(source_, fmt::format("tensor \"{}\" is described wrongly.", name));
    }
    Entry entry;
    entry.dtype = dtype_from(json["dtype"], source_, name);
    uint64_t wanted = at::elementSize(entry.dtype);
    for (const Json& extent : json["shape"]) {
      const uint64_t size = unsigned_number(extent, source_, name);
      if (size > (uint64_t{1} << 48) || __builtin_mul_overflow(wanted, size, &wanted)) {
        fail(source_, fmt::format("tensor \"{}\": its shape overflows.", name));
      }
      entry.shape.push_back(static_cast<int64_t>(size));
    }
    const uint64_t begin = unsigned_number(json["data_offsets"][0], source_, name);
    const uint64_t end = unsigned_number(json["data_offsets"][1], source_, name);
    if (begin > end || end > data.size()) {
      fail(source_, fmt::format("tensor \"{}\" lies at [{}, {}) of {} data bytes; the file was cut "
                                "off or its header is wrong.",
                                name, begin, end, data.size()));
    }
    if (end - begin != wanted) {
      fail(source_, fmt::format("tensor \"{}\" has {} bytes, but its shape and dtype need {}.", name,
                                end - begin, wanted));
    }
    entry.bytes = data.substr(begin, wanted);
    ranges.emplace_back(begin, end);
    entries_.emplace(name, std::move(entry));
  }
  std::sort(ranges.begin(), ranges.end());
  uint64_t covered = 0;
  for (const auto& [begin, end] : ranges) {
    if (begin != covered) {
      fail(source_, fmt::format("its tensors {} at data byte {}.",
                                begin < covered ? "overlap" : "leave a hole", covered));
    }
    covered = end;
  }
  if (covered != data.size()) {
    fail(source_, fmt::format("{} bytes follow the last tensor.", data.size() - covered));
  }
}

std::vector<std::string> SafetensorsFile::names() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries_) names.push_back(name);
  return names;
}

const SafetensorsFile::Entry& SafetensorsFile::entry(const std::string& name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) {
    fail(source_, fmt::format("the tensor \"{}\" is missing.", name));
  }
  return found->second;
}

const std::vector<int64_t>& SafetensorsFile::shape(const std::string& name) const {
  return entry(name).shape;
}

at::ScalarType SafetensorsFile::dtype(const std::string& name) const { return entry(name).dtype; }

at::Tensor SafetensorsFile::tensor(const std::string& name) const {
  const Entry& found = entry(name);
  at::Tensor tensor = at::empty(found.shape, found.dtype);
  // Old files are not aligned, so the data are copied, never viewed.
  if (!found.bytes.empty()) std::memcpy(tensor.data_ptr(), found.bytes.data(), found.bytes.size());
  return tensor;
}

void write_safetensors(const std::string& path, const NamedTensors& tensors,
                       const std::map<std::string, std::string>& metadata) {
  Json header;
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::vector<at::Tensor> contiguous;
  uint64_t offset = 0;
  for (const auto& [name, tensor] : tensors) {
    contiguous.push_back(tensor.detach().cpu().contiguous());
    const uint64_t size = contiguous.back().nbytes();
    header[name] = {{"dtype", name_of(tensor.scalar_type())},
                    {"shape", tensor.sizes().vec()},
                    {"data_offsets", {offset, offset + size}}};
    offset += size;
  }
  std::string text = header.is_null() ? "{}" : header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');  // so that the data are aligned
  const uint64_t length = text.size();
  write_file_atomic(path, [&](std::ostream& out) {
    out.write(reinterpret_cast<const char*>(&length), sizeof(length));
    out.write(text.data(), static_cast<std::streamsize>(length));
    for (const at::Tensor& tensor : contiguous) {
      out.write(static_cast<const char*>(tensor.data_ptr()),
                static_cast<std::streamsize>(tensor.nbytes()));
    }
  });
}

}  // namespace farstate
