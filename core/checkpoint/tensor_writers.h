// SPDX-License-Identifier: GPL-3.0-or-later
// Weights into files. A tensor is made only when it is its turn, so a checkpoint of any size is
// converted with one tensor in memory.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/formats/tensor_table.h"

namespace farstate {

struct TensorToWrite {
  std::string name;
  DType dtype = DType::kF32;
  std::vector<int64_t> shape;
  std::function<at::Tensor()> make;  // of this dtype and shape
};

using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

// Both are written beside and renamed; on Error(kBadInput) an older file is left alone.

void write_safetensors(const std::string& path, const std::vector<TensorToWrite>& tensors,
                       const std::map<std::string, std::string>& metadata);
void write_safetensors(const std::string& path, const NamedTensors& tensors,
                       const std::map<std::string, std::string>& metadata);

// As torch.save writes an OrderedDict, for torch.load with weights_only. `aliases`: further names
// for tensors of the list, which share their storage.
void write_torch_archive(const std::string& path, const std::vector<TensorToWrite>& tensors,
                         const std::map<std::string, std::string>& aliases);

}  // namespace farstate
