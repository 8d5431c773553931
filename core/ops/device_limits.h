// SPDX-License-Identifier: GPL-3.0-or-later
// What a CUDA device can do at most, from what it says of itself and what is published of its
// generation.
#pragma once

#include "core/results/device_report.h"

namespace farstate::ops {

// Floating-point operations per clock and multiprocessor, an addition and a multiplication being
// two. Zeros: not known.
struct GenerationRates {
  double fp32 = 0, tf32 = 0, bf16 = 0;
};
GenerationRates rates_of(int major, int minor);

DeviceLimits cuda_device_limits(int index);  // of a build with CUDA kernels alone

}  // namespace farstate::ops
