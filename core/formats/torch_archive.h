// SPDX-License-Identifier: GPL-3.0-or-later
// pytorch_model.bin, *.pt, *.pth: a zip archive of torch.save with a state dictionary in it.
#pragma once

#include <string>
#include <string_view>

#include "core/formats/tensor_table.h"

namespace farstate {

// The tensors of the dictionary, or of one that it holds under "model", "state_dict" and the like;
// what else is there is left out with a note. Tensors may share storage and have any strides.
// Throws Error(kBadInput) naming the file and the place; runs nothing.
TensorTable read_torch_archive(const std::string& path);
// Over bytes that outlive the table; `source` names them in messages.
TensorTable parse_torch_archive(std::string_view bytes, const std::string& source);

}  // namespace farstate
