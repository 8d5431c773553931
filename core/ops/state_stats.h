// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of a state per batch row and head.
#pragma once

#include <ATen/core/Tensor.h>

namespace farstate::ops {

// h [B,H,P,N] contiguous, float or double -> [B,H,4] fp64: sum, sum of squares, maximum of |h|,
// count of elements that are not finite (these are left out of the first three).
at::Tensor state_stats(const at::Tensor& h);

}  // namespace farstate::ops
