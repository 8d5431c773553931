// SPDX-License-Identifier: GPL-3.0-or-later
// Root mean square normalisation, gated and grouped:
//   v = y * silu(z);  out = weight * v / sqrt(mean over the group of v^2 + eps)
// The gate comes before the norm (norm_before_gate = False of the reference), and each of the G
// groups of C/G channels is normalised by itself, as Mamba-2 with ngroups = G does.
#pragma once

#include <ATen/core/Tensor.h>

namespace farstate::ops {

// y [...,C] and z [...,C] or undefined (no gate: plain RMSNorm), weight [C]; rows may be strided,
// the last dim is contiguous. Float or double. Returns [...,C]. Differentiable in every operand.
at::Tensor gated_rmsnorm(const at::Tensor& y, const at::Tensor& z,
                            const at::Tensor& weight, int64_t groups, double eps);

at::Tensor gated_rmsnorm_naive(const at::Tensor& y, const at::Tensor& z,
                                  const at::Tensor& weight, int64_t groups, double eps);

}  // namespace farstate::ops
