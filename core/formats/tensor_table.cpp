// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/tensor_table.h"

#include <fmt/format.h>

#include "core/base/error.h"

namespace farstate {
namespace {

struct DTypeFacts {
  const char* name;
  int64_t size;
  bool floating;
};

const DTypeFacts& facts(DType dtype) {
  static constexpr DTypeFacts kFacts[] = {
      {"float64", 8, true},  {"float32", 4, true}, {"float16", 2, true}, {"bfloat16", 2, true},
      {"int64", 8, false},   {"int32", 4, false},  {"int16", 2, false},  {"int8", 1, false},
      {"uint8", 1, false},   {"bool", 1, false}};
  return kFacts[static_cast<size_t>(dtype)];
}

}  // namespace

int64_t size_of(DType dtype) { return facts(dtype).size; }
const char* name_of(DType dtype) { return facts(dtype).name; }
bool is_floating(DType dtype) { return facts(dtype).floating; }

int64_t element_count(const std::vector<int64_t>& shape) {
  int64_t count = 1;
  for (const int64_t extent : shape) count *= extent;
  return count;
}

int64_t StoredTensor::elements() const { return element_count(shape); }

std::vector<int64_t> contiguous_strides(const std::vector<int64_t>& shape) {
  std::vector<int64_t> strides(shape.size());
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    // Of an empty tensor the strides mean nothing, and a product of its sizes may overflow.
    if (__builtin_mul_overflow(stride, shape[i], &stride)) stride = 0;
  }
  return strides;
}

const StoredTensor& TensorTable::at(const std::string& name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) {
    throw Error(ErrorKind::kBadInput,
                fmt::format("{}: the tensor \"{}\" is missing.", source_, name));
  }
  return found->second;
}

std::vector<std::string> TensorTable::names() const {
  std::vector<std::string> names;
  for (const auto& [name, tensor] : tensors_) names.push_back(name);
  return names;
}

void TensorTable::add(const std::string& name, StoredTensor tensor) {
  if (tensors_.emplace(name, std::move(tensor)).second) return;
  throw Error(ErrorKind::kBadInput,
              fmt::format("{}: the tensor \"{}\" is there twice.", source_, name));
}

void TensorTable::strip(const std::string& prefix) {
  std::map<std::string, StoredTensor> stripped;
  for (auto& [name, tensor] : tensors_) {
    stripped.emplace(name.substr(prefix.size()), std::move(tensor));
  }
  tensors_ = std::move(stripped);
}

}  // namespace farstate
