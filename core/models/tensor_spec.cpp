// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/tensor_spec.h"

#include <fmt/format.h>

namespace farstate {

std::vector<TensorSpec> mamba2_tensor_specs(const Mamba2Config& c) {
  std::vector<TensorSpec> specs;
  const auto matrix = [&](const std::string& name, std::vector<int64_t> shape,
                          std::vector<std::string> synonyms = {}) {
    specs.push_back({name, std::move(synonyms), std::move(shape), true, true});
  };
  const auto vector = [&](const std::string& name, int64_t size) {
    specs.push_back({name, {}, {size}, false, false});
  };
  const int64_t inner = c.inner_dim();
  matrix("backbone.embeddings.weight", {c.vocabulary, c.model_dim}, {"backbone.embedding.weight"});
  for (int64_t i = 0; i < c.layers; ++i) {
    const std::string layer = fmt::format("backbone.layers.{}.", i);
    const std::string mixer = layer + "mixer.";
    vector(layer + "norm.weight", c.model_dim);
    matrix(mixer + "in_proj.weight", {c.in_proj_rows(), c.model_dim});
    specs.push_back({mixer + "conv1d.weight", {}, {c.conv_channels(), 1, c.conv_width}, true, false});
    vector(mixer + "dt_bias", c.heads);
    vector(mixer + "A_log", c.heads);
    vector(mixer + "D", c.heads);
    vector(mixer + "norm.weight", inner);
    matrix(mixer + "out_proj.weight", {c.model_dim, inner});
    if (c.conv_bias) vector(mixer + "conv1d.bias", c.conv_channels());
    if (c.projection_bias) {
      vector(mixer + "in_proj.bias", c.in_proj_rows());
      vector(mixer + "out_proj.bias", c.model_dim);
    }
  }
  vector("backbone.norm_f.weight", c.model_dim);
  if (!c.tied_head) matrix(kHeadName, {c.vocabulary, c.model_dim});
  return specs;
}

}  // namespace farstate
