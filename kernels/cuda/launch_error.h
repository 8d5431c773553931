// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch throws. Apart from device.h, since nvcc would compile <string> for every
// architecture, which doubles the time that a small kernel takes it.
#pragma once

#include <cstdint>

namespace farstate::kernels::cuda {

// std::runtime_error "CUDA: <doing> failed with <name> (<text>)".
[[noreturn]] void throw_cuda_error(const char* doing, const char* name, const char* text);

// Throws if a device can't count that many blocks.
void check_grid(int64_t x, int64_t y, int64_t z);

}  // namespace farstate::kernels::cuda
