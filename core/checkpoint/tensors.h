// SPDX-License-Identifier: GPL-3.0-or-later
// Between the tables of core/formats and LibTorch's tensors.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <string>

#include "core/formats/tensor_table.h"

namespace farstate {

at::ScalarType scalar_type(DType dtype);
DType dtype_of(at::ScalarType dtype);  // throws Error(kInternal) for one that no file holds

// An owning, contiguous copy in the file's dtype.
at::Tensor tensor_of(const StoredTensor& stored);
at::Tensor tensor_of(const TensorTable& table, const std::string& name);

// Copies into `target` of the same shape and any dtype, slice by slice: at no time is there a second
// whole copy, and the pages of the file are let go as soon as they were read. A stop throws.
// on_elements(n) is called after each slice.
void copy_into(const StoredTensor& stored, const at::Tensor& target,
               const std::function<void(int64_t)>& on_elements = {});

}  // namespace farstate
