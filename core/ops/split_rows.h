// SPDX-License-Identifier: GPL-3.0-or-later
// One row per position, taken apart: what the input projection makes is the gate, the convolution's
// input and the steps, side by side.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace farstate::ops {

// Views of x [...,sum of widths] as [...,widths[0]], [...,widths[1]], …. Differentiable; on
// the CPU the gradients are put side by side on our own threads. Throws Error(kInternal) with what was wanted.
std::vector<at::Tensor> split_rows(const at::Tensor& x, const std::vector<int64_t>& widths);

}  // namespace farstate::ops
