// SPDX-License-Identifier: GPL-3.0-or-later
// What every reader of weights returns: named tensors as bytes of mapped files. Nothing is copied
// and nothing of LibTorch is needed, so a reader can be tried on hostile files by itself.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/file.h"

namespace farstate {

enum class DType { kF64, kF32, kF16, kBF16, kI64, kI32, kI16, kI8, kU8, kBool };

int64_t size_of(DType dtype);           // bytes of an element
const char* name_of(DType dtype);       // "float32", …
bool is_floating(DType dtype);

struct StoredTensor {
  DType dtype = DType::kF32;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;  // in elements; not negative, and within `bytes`
  std::string_view bytes;        // begins at the first element; not always aligned
  std::shared_ptr<const MappedFile> file;  // that holds the bytes; null: they outlive the table

  int64_t elements() const;
};

int64_t element_count(const std::vector<int64_t>& shape);

// Row-major strides of a shape.
std::vector<int64_t> contiguous_strides(const std::vector<int64_t>& shape);

class TensorTable {
 public:
  TensorTable() = default;
  // `source` names the file, or the files, in messages.
  explicit TensorTable(std::string source) : source_(std::move(source)) {}

  const std::string& source() const { return source_; }
  bool has(const std::string& name) const { return tensors_.contains(name); }
  // Throws Error(kBadInput) when there is none of that name.
  const StoredTensor& at(const std::string& name) const;
  std::vector<std::string> names() const;
  const std::map<std::string, StoredTensor>& tensors() const { return tensors_; }

  // Throws Error(kBadInput) if there is one of that name.
  void add(const std::string& name, StoredTensor tensor);
  // Takes `prefix` off all names. The caller knows that all of them begin with it.
  void strip(const std::string& prefix);

  std::map<std::string, std::string> metadata;
  std::vector<std::string> notes;  // in words: what else the file held, and was not read

 private:
  std::string source_;
  std::map<std::string, StoredTensor> tensors_;
};

}  // namespace farstate
