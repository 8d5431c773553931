// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/state_files.h"

#include <ATen/ops/empty.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <set>

#include "core/base/error.h"
#include "core/checkpoint/tensor_writers.h"
#include "core/checkpoint/tensors.h"
#include "core/formats/safetensors.h"

namespace farstate {
namespace {

constexpr const char* kHidden = "hidden";
constexpr const char* kPosition = "farstate.position";  // key of the metadata

// What is no number from 0 says nothing: the position is for people.
std::optional<int64_t> position_of(const TensorTable& file) {
  const auto found = file.metadata.find(kPosition);
  if (found == file.metadata.end()) return std::nullopt;
  int64_t position = 0;
  const std::string& text = found->second;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), position);
  const bool whole = error == std::errc() && end == text.data() + text.size() && position >= 0;
  return whole ? std::optional(position) : std::nullopt;
}

}  // namespace

void save_state(const std::string& path, const HeldState& held) {
  NamedTensors tensors;
  for (size_t i = 0; i < held.state.layers.size(); ++i) {
    tensors.emplace_back(fmt::format("layers.{}.recurrent", i), held.state.layers[i].recurrent);
    tensors.emplace_back(fmt::format("layers.{}.context", i), held.state.layers[i].context);
  }
  if (held.hidden.defined()) tensors.emplace_back(kHidden, held.hidden);
  std::map<std::string, std::string> metadata = {{"format", "pt"}};
  if (held.position.has_value()) metadata[kPosition] = std::to_string(*held.position);
  write_safetensors(path, tensors, metadata);
}

HeldState load_state(const std::string& path, const RecurrentLM& model) {
  const TensorTable file = read_safetensors(path);
  HeldState held;
  held.state = model.zero_state(1);
  held.position = position_of(file);
  std::set<std::string> wanted;
  const auto fill = [&](const std::string& name, const at::Tensor& target) {
    wanted.insert(name);
    const at::Tensor found = tensor_of(file, name);
    if (found.sizes() != target.sizes()) {
      throw Error(ErrorKind::kBadInput,
                  fmt::format("{}: the tensor \"{}\" has the shape [{}], but this model's state has "
                              "[{}].",
                              path, name, fmt::join(found.sizes(), ","),
                              fmt::join(target.sizes(), ",")));
    }
    target.copy_(found);
  };
  for (size_t i = 0; i < held.state.layers.size(); ++i) {
    fill(fmt::format("layers.{}.recurrent", i), held.state.layers[i].recurrent);
    fill(fmt::format("layers.{}.context", i), held.state.layers[i].context);
  }
  if (file.has(kHidden)) {
    held.hidden = at::empty({1, model.sizes().model_dim},
                            held.state.layers.front().recurrent.options());
    fill(kHidden, held.hidden);
  }
  for (const auto& [name, tensor] : file.tensors()) {
    if (wanted.contains(name)) continue;
    throw Error(ErrorKind::kBadInput,
                fmt::format("{}: the tensor \"{}\" belongs to no part of this model's state; choose "
                            "a state of this model.",
                            path, name));
  }
  return held;
}

}  // namespace farstate
