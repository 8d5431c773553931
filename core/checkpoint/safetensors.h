// SPDX-License-Identifier: GPL-3.0-or-later
// The safetensors format: u64 little-endian header length n, n bytes of JSON, data
// (https://huggingface.co/docs/safetensors). A file is trusted in nothing: every length and
// offset is checked before it is used.
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/file.h"

namespace farstate {

class SafetensorsFile {
 public:
  explicit SafetensorsFile(const std::string& path);
  // Over bytes that outlive the object; `source` names them in messages.
  SafetensorsFile(std::string_view bytes, std::string source);

  const std::string& source() const { return source_; }
  std::vector<std::string> names() const;
  bool has(const std::string& name) const { return entries_.contains(name); }
  const std::vector<int64_t>& shape(const std::string& name) const;
  at::ScalarType dtype(const std::string& name) const;
  // An owning copy in the file's dtype. Throws Error(kBadInput) when there is none of that name.
  at::Tensor tensor(const std::string& name) const;
  const std::map<std::string, std::string>& metadata() const { return metadata_; }

 private:
  struct Entry {
    at::ScalarType dtype;
    std::vector<int64_t> shape;
    std::string_view bytes;
  };

  void parse(std::string_view bytes);
  const Entry& entry(const std::string& name) const;

  std::shared_ptr<const MappedFile> file_;
  std::string source_;
  std::map<std::string, Entry> entries_;
  std::map<std::string, std::string> metadata_;
};

using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

// Written beside and renamed; throws Error(kBadInput) and leaves an older file alone.
void write_safetensors(const std::string& path, const NamedTensors& tensors,
                       const std::map<std::string, std::string>& metadata);

}  // namespace farstate
