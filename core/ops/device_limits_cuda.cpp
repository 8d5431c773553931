// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "core/ops/device_limits.h"

namespace farstate::ops {
namespace {

double attribute(cudaDeviceAttr which, int index) {
  int value = 0;
  C10_CUDA_CHECK(cudaDeviceGetAttribute(&value, which, index));
  return value;
}

}  // namespace

DeviceLimits cuda_device_limits(int index) {
  const cudaDeviceProp& properties = *at::cuda::getDeviceProperties(static_cast<c10::DeviceIndex>(index));
  DeviceLimits limits;
  limits.name = properties.name;
  limits.capability = fmt::format("{}.{}", properties.major, properties.minor);
  limits.multiprocessors = properties.multiProcessorCount;
  limits.memory_bytes = static_cast<int64_t>(properties.totalGlobalMem);
  const double clocks = attribute(cudaDevAttrClockRate, index) * 1e3 * properties.multiProcessorCount;
  const GenerationRates rates = rates_of(properties.major, properties.minor);
  limits.fp32_flops = rates.fp32 * clocks;
  limits.tf32_flops = rates.tf32 * clocks;
  limits.bf16_flops = rates.bf16 * clocks;
  // Two transfers per clock of the memory.
  limits.bytes_per_second = 2 * attribute(cudaDevAttrMemoryClockRate, index) * 1e3 *
                            attribute(cudaDevAttrGlobalMemoryBusWidth, index) / 8;
  return limits;
}

}  // namespace farstate::ops
