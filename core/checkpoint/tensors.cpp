// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/tensors.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <algorithm>
#include <cstring>

#include "core/base/error.h"
#include "core/base/stop.h"

namespace farstate {
namespace {

struct Pair {
  DType dtype;
  at::ScalarType scalar;
};

constexpr Pair kPairs[] = {{DType::kF64, at::kDouble}, {DType::kF32, at::kFloat},
                           {DType::kF16, at::kHalf},   {DType::kBF16, at::kBFloat16},
                           {DType::kI64, at::kLong},   {DType::kI32, at::kInt},
                           {DType::kI16, at::kShort},  {DType::kI8, at::kChar},
                           {DType::kU8, at::kByte},    {DType::kBool, at::kBool}};

// Between two looks at the stop token: some 10 ms of copying.
constexpr int64_t kSlice = int64_t{1} << 22;

// A view of rows [begin, begin + count) of dimension 0; a copy where the file is not aligned, as
// old safetensors are not.
at::Tensor rows_of(const StoredTensor& stored, int64_t begin, int64_t count) {
  const auto size = static_cast<size_t>(size_of(stored.dtype));
  std::vector<int64_t> shape = stored.shape;
  if (!shape.empty()) shape[0] = count;
  const size_t skipped =
      shape.empty() ? 0 : static_cast<size_t>(begin * stored.strides[0]) * size;
  const char* first = stored.bytes.data() + skipped;
  const at::TensorOptions options = at::TensorOptions().dtype(scalar_type(stored.dtype));
  if (reinterpret_cast<uintptr_t>(first) % size == 0) {
    // Read-only memory: nothing writes through the view.
    return at::from_blob(const_cast<char*>(first), shape, stored.strides, options);
  }
  int64_t extent = 1;
  for (size_t i = 0; i < shape.size(); ++i) extent += (shape[i] - 1) * stored.strides[i];
  const at::Tensor buffer = at::empty({extent}, options);
  std::memcpy(buffer.data_ptr(), first, static_cast<size_t>(extent) * size);
  return buffer.as_strided(shape, stored.strides);
}

}  // namespace

at::ScalarType scalar_type(DType dtype) {
  for (const Pair& pair : kPairs) {
    if (pair.dtype == dtype) return pair.scalar;
  }
  throw Error(ErrorKind::kInternal, "no tensor type for this dtype.");
}

DType dtype_of(at::ScalarType dtype) {
  for (const Pair& pair : kPairs) {
    if (pair.scalar == dtype) return pair.dtype;
  }
  throw Error(ErrorKind::kInternal, "no file holds tensors of this dtype.");
}

void copy_into(const StoredTensor& stored, const at::Tensor& target,
               const std::function<void(int64_t)>& on_elements) {
  const at::NoGradGuard no_grad;
  const int64_t elements = stored.elements();
  if (elements == 0) return;
  const int64_t rows = stored.shape.empty() ? 1 : stored.shape[0];
  const int64_t per_row = elements / rows;
  const int64_t slice = std::clamp<int64_t>(kSlice / per_row, 1, rows);
  for (int64_t row = 0; row < rows; row += slice) {
    throw_if_stopped();
    const int64_t count = std::min(slice, rows - row);
    const at::Tensor part = stored.shape.empty() ? target : target.narrow(0, row, count);
    part.copy_(rows_of(stored, row, count));
    if (on_elements) on_elements(count * per_row);
  }
  if (stored.file != nullptr) stored.file->release(stored.bytes);
}

at::Tensor tensor_of(const StoredTensor& stored) {
  at::Tensor tensor = at::empty(stored.shape, scalar_type(stored.dtype));
  copy_into(stored, tensor);
  return tensor;
}

at::Tensor tensor_of(const TensorTable& table, const std::string& name) {
  return tensor_of(table.at(name));
}

}  // namespace farstate
