// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/cross_entropy.h"

#include <torch/types.h>

namespace farstate::ops {

torch::Tensor head_nll_naive(const torch::Tensor& hidden, const torch::Tensor& weight,
                             const torch::Tensor& targets) {
  const torch::Tensor log_probs = torch::log_softmax(hidden.matmul(weight.t()), 1);
  return -log_probs.gather(1, targets.unsqueeze(1)).squeeze(1);
}

}  // namespace farstate::ops
