// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/launch_error.h"

#include <stdexcept>
#include <string>

namespace farstate::kernels::cuda {

void throw_cuda_error(const char* doing, const char* name, const char* text) {
  throw std::runtime_error(std::string("CUDA: ") + doing + " failed with " + name + " (" + text +
                           ")");
}

void check_grid(int64_t x, int64_t y, int64_t z) {
  if (x <= 0x7fffffff && y <= 0xffff && z <= 0xffff) return;
  throw std::runtime_error("CUDA: a grid of " + std::to_string(x) + " x " + std::to_string(y) +
                           " x " + std::to_string(z) +
                           " blocks is more than a device can count; wanted at most 2147483647 x "
                           "65535 x 65535");
}

}  // namespace farstate::kernels::cuda
