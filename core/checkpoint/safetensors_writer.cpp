// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/stop.h"
#include "core/checkpoint/tensor_writers.h"
#include "core/checkpoint/tensors.h"
#include "core/formats/safetensors.h"

namespace farstate {

using Json = nlohmann::ordered_json;

void write_safetensors(const std::string& path, const std::vector<TensorToWrite>& tensors,
                       const std::map<std::string, std::string>& metadata) {
  Json header = Json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  uint64_t offset = 0;
  for (const TensorToWrite& tensor : tensors) {
    const auto size =
        static_cast<uint64_t>(size_of(tensor.dtype) * element_count(tensor.shape));
    header[tensor.name] = {{"dtype", safetensors_name(tensor.dtype)},
                           {"shape", tensor.shape},
                           {"data_offsets", {offset, offset + size}}};
    offset += size;
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');  // so that the data are aligned
  const uint64_t length = text.size();
  write_file_atomic(path, [&](std::ostream& out) {
    out.write(reinterpret_cast<const char*>(&length), sizeof(length));
    out.write(text.data(), static_cast<std::streamsize>(length));
    for (const TensorToWrite& tensor : tensors) {
      throw_if_stopped();
      const at::Tensor made = tensor.make();
      out.write(static_cast<const char*>(made.data_ptr()),
                static_cast<std::streamsize>(made.nbytes()));
    }
  });
}

void write_safetensors(const std::string& path, const NamedTensors& tensors,
                       const std::map<std::string, std::string>& metadata) {
  std::vector<TensorToWrite> list;
  for (const auto& [name, tensor] : tensors) {
    list.push_back({name, dtype_of(tensor.scalar_type()), tensor.sizes().vec(),
                    [t = tensor] { return t.detach().cpu().contiguous(); }});
  }
  write_safetensors(path, list, metadata);
}

}  // namespace farstate
