// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/model_sizes.h"

#include "kernels/ssd_scan/ssd_scan.h"

namespace farstate {

ModelSizes mamba2_sizes(const Mamba2Config& config) {
  const int64_t D = config.model_dim;
  const int64_t C = config.conv_channels();
  const int64_t inner = config.inner_dim();
  constexpr auto kFloat = static_cast<int64_t>(sizeof(float));
  return {.architecture = "Mamba-2",
          .layers = config.layers,
          .heads = config.heads,
          .head_dim = config.head_dim,
          .state_dim = config.state_dim,
          .groups = config.groups,
          .model_dim = D,
          .vocabulary = config.vocabulary,
          .tied_head = config.tied_head,
          .state_bytes =
              kFloat * config.layers * (inner * config.state_dim + (config.conv_width - 1) * C),
          .widest = config.in_proj_rows(),
          // in_proj's output, the convolution's, the scan's, the gated norm's, the other norm's
          // input and output, and the scan's states between blocks.
          .kept_per_token = config.in_proj_rows() + C + 2 * inner + 2 * D +
                            inner * config.state_dim / kernels::kSsdBlock};
}

}  // namespace farstate
