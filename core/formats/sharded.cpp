// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/sharded.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/formats/safetensors.h"
#include "core/formats/torch_archive.h"

namespace farstate {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr size_t kLargestIndex = 100'000'000;

[[noreturn]] void fail(const std::string& source, const std::string& why) {
  throw Error(ErrorKind::kBadInput, fmt::format("{}: {}", source, why));
}

enum class Format { kSafetensors, kTorchArchive };

const char* name_of(Format format) {
  return format == Format::kSafetensors ? "safetensors" : "PyTorch archive";
}

// By what the file holds; its name decides only whose complaint a damaged file gets.
Format format_of(const std::string& path) {
  using namespace std::string_view_literals;
  const MappedFile file(path);
  const std::string_view bytes = file.bytes();
  if (bytes.starts_with("PK\x03\x04"sv)) return Format::kTorchArchive;
  const bool header = bytes.size() > 8 && bytes[8] == '{';
  return header || path.ends_with(".safetensors") ? Format::kSafetensors : Format::kTorchArchive;
}

TensorTable read_one(const std::string& path, Format format) {
  return format == Format::kSafetensors ? read_safetensors(path) : read_torch_archive(path);
}

WeightFile read_shards(const std::string& path) {
  const MappedFile text(path);
  if (text.bytes().size() > kLargestIndex) fail(path, "it is too large for an index of shards.");
  const ShardIndex index = parse_shard_index(text.bytes(), path);
  const fs::path folder = fs::path(path).parent_path();
  WeightFile weights{TensorTable(path), {path}, {}};
  std::map<std::string, std::string> found;  // tensor -> file name
  const char* format = nullptr;              // of the first shard
  for (const std::string& name : index.files) {
    const std::string file = (folder / name).string();
    std::error_code ignored;
    if (!fs::exists(file, ignored)) {
      fail(path, fmt::format("the shard {} is missing; fetch it into the same folder.", name));
    }
    const Format of_shard = format_of(file);
    if (format == nullptr) format = name_of(of_shard);
    TensorTable shard = read_one(file, of_shard);
    for (const auto& [tensor, stored] : shard.tensors()) {
      if (const auto other = found.find(tensor); other != found.end()) {
        fail(path, fmt::format("the tensor \"{}\" is in {} and in {}.", tensor, other->second, name));
      }
      found.emplace(tensor, name);
      weights.table.add(tensor, stored);
    }
    weights.table.notes.insert(weights.table.notes.end(), shard.notes.begin(), shard.notes.end());
    weights.files.push_back(file);
  }
  for (const auto& [tensor, name] : index.tensor_files) {
    const auto there = found.find(tensor);
    if (there == found.end() || there->second != name) {
      fail(path, fmt::format("the tensor \"{}\" should be in {}, and is {}.", tensor, name,
                             there == found.end() ? "in no shard" : "in " + there->second));
    }
  }
  weights.format = fmt::format("{}, {} shard{}", format, index.files.size(),
                               index.files.size() == 1 ? "" : "s");
  return weights;
}

}  // namespace

ShardIndex parse_shard_index(std::string_view text, const std::string& source) {
  const Json json = parse_json(text);
  if (!json.is_object() || !json.contains("weight_map") || !json["weight_map"].is_object()) {
    fail(source, "it holds no object \"weight_map\"; is it an index of shards?");
  }
  ShardIndex index;
  std::set<std::string> files;
  for (const auto& [tensor, file] : json["weight_map"].items()) {
    if (!file.is_string()) {
      fail(source, fmt::format("\"{}\" is mapped to {}, but must be mapped to the name of a file.",
                               tensor, short_text(file)));
    }
    const auto name = file.get<std::string>();
    if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos ||
        name.find('\\') != std::string::npos || name.find('\0') != std::string::npos) {
      fail(source, fmt::format("\"{}\" is mapped to {}, but a shard must lie in the index's own folder.",
                               tensor, short_text(file)));
    }
    files.insert(name);
    index.tensor_files.emplace(tensor, name);
  }
  if (files.empty()) fail(source, "its \"weight_map\" is empty.");
  index.files.assign(files.begin(), files.end());
  return index;
}

WeightFile read_weights(const std::string& path) {
  if (path.ends_with(".json")) return read_shards(path);
  const Format format = format_of(path);
  return {read_one(path, format), {path}, name_of(format)};
}

}  // namespace farstate
