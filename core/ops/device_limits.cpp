// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/device_limits.h"

namespace farstate::ops {

// From NVIDIA's white papers: the dense rate of a product, divided by multiprocessors and boost
// clock (A100 156 TFLOP/s in tf32 by 108 and 1.41 GHz is 1024); fp32 from the CUDA C++ Programming
// Guide's table of arithmetic instructions.
GenerationRates rates_of(int major, int minor) {
  switch (10 * major + minor) {
    case 80: return {128, 1024, 2048};   // A100
    case 86: return {256, 256, 512};     // GeForce 30, A40
    case 89: return {256, 256, 512};     // GeForce 40, L40
    case 90: return {256, 2048, 4096};   // H100, H200
    case 100: return {256, 4096, 8192};  // B200
    case 120: return {256, 256, 512};    // GeForce 50
    default: return {};
  }
}

}  // namespace farstate::ops
