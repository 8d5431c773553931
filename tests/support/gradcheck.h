// SPDX-License-Identifier: GPL-3.0-or-later
// Gradients against central differences in double precision.
#pragma once

#include <torch/csrc/autograd/autograd.h>
#include <torch/types.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/support/tensor_match.h"

namespace farstate::testing {

struct Operand {
  std::string name;
  torch::Tensor value;  // double, leaf, requires_grad; undefined: left out
};

// `loss` makes a scalar of the operands' current values. At most `probes` elements per operand
// are moved, spread evenly. With a step e of 1e-5 of the operand's size the difference quotient is
// off by about 1e-10 of the gradient (third derivative) and by 1e-16 |loss| / e (rounding); 1e-7
// of the operand's largest gradient, or of the loss over the operand's size, is far above both
// and far below any wrong term.
inline void expect_gradients(const std::function<torch::Tensor()>& loss,
                             const std::vector<Operand>& operands, int64_t probes = 24) {
  constexpr double kStep = 1e-5, kAllowed = 1e-7;
  std::vector<torch::Tensor> leaves;
  for (const Operand& operand : operands) {
    if (operand.value.defined()) leaves.push_back(operand.value);
  }
  const torch::Tensor at_point = loss();
  const auto gradients = torch::autograd::grad({at_point}, leaves);
  const at::NoGradGuard no_grad;
  for (size_t k = 0, i = 0; k < operands.size(); ++k) {
    if (!operands[k].value.defined()) continue;
    const torch::Tensor gradient = gradients[i++].contiguous().flatten();
    if (gradient.numel() == 0) continue;
    ASSERT_TRUE(operands[k].value.is_contiguous()) << operands[k].name;
    double* const value = operands[k].value.data_ptr<double>();
    const int64_t count = gradient.numel(), stride = std::max<int64_t>(1, count / probes);
    const double size = operands[k].value.square().mean().sqrt().item<double>();
    const double allowed = kAllowed * std::max(gradient.abs().max().item<double>(),
                                               std::abs(at_point.item<double>()) / size);
    for (int64_t e = 0; e < count; e += stride) {
      const double kept = value[e], step = kStep * std::max(size, std::abs(kept));
      value[e] = kept + step;
      const double above = loss().item<double>();
      value[e] = kept - step;
      const double below = loss().item<double>();
      value[e] = kept;
      EXPECT_NEAR(gradient[e].item<double>(), (above - below) / (2 * step), allowed)
          << "gradient of " << operands[k].name << ", element " << e;
    }
  }
}

}  // namespace farstate::testing
