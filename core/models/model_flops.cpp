// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/model_flops.h"

namespace farstate {

// A multiplication and an addition per weight of projections, convolution and head, and 5 per element
// of the state: decay, dt x B, their sum, and the product with C that is summed to y. Norms, gates and
// exponentials are of lower order.
double forward_flops(const Mamba2Config& config) {
  const auto d = [](int64_t v) { return static_cast<double>(v); };
  const double inner = d(config.inner_dim());
  const double layer = 2 * d(config.model_dim) * (d(config.in_proj_rows()) + inner) +
                       2 * d(config.conv_width) * d(config.conv_channels()) +
                       5 * inner * d(config.state_dim);
  return d(config.layers) * layer + 2 * d(config.model_dim) * d(config.vocabulary);
}

}  // namespace farstate
