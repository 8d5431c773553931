// SPDX-License-Identifier: GPL-3.0-or-later
// What a device is, and what ran on it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace farstate {

// Of a CUDA device. The rates are what its multiprocessors can do at the clock that it names; zero:
// not known of this generation.
struct DeviceLimits {
  std::string name;        // as the device calls itself
  std::string capability;  // "9.0"
  int64_t multiprocessors = 0;
  int64_t memory_bytes = 0;
  double fp32_flops = 0, tf32_flops = 0, bf16_flops = 0;  // per second, dense
  double bytes_per_second = 0;                            // of its memory
};

struct OperatorUse {
  std::string op;
  std::string by;   // "CUDA kernel", "ATen"
  std::string why;  // a clause
  int64_t calls = 0;
};

struct DeviceReport {
  std::string device;  // "cpu", "cuda:0"
  DeviceLimits limits;
  std::vector<OperatorUse> operators;  // what ran, in the order of its first call
  int64_t peak_bytes = 0;      // the most that tensors took at once
  int64_t reserved_bytes = 0;  // the most that LibTorch held of the device's memory
};

}  // namespace farstate
