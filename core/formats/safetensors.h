// SPDX-License-Identifier: GPL-3.0-or-later
// The safetensors format: u64 little-endian header length n, n bytes of JSON, data
// (https://huggingface.co/docs/safetensors). A file is trusted in nothing: every length and
// offset is checked before it is used.
#pragma once

#include <string>
#include <string_view>

#include "core/formats/tensor_table.h"

namespace farstate {

// Throws Error(kBadInput) naming the file and the tensor.
TensorTable read_safetensors(const std::string& path);
// Over bytes that outlive the table; `source` names them in messages.
TensorTable parse_safetensors(std::string_view bytes, const std::string& source);

// "F32", …; throws Error(kInternal) for a dtype that the format has no name for.
const char* safetensors_name(DType dtype);

}  // namespace farstate
