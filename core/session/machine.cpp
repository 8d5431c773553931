// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/machine.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <torch/version.h>

#include <fstream>
#include <thread>

#include "core/ops/backend.h"
#include "core/ops/bf16_product.h"
#include "core/ops/device_limits.h"
#include "kernels/simd/isa.h"

namespace farstate {
namespace {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const size_t begin = line.find_first_not_of(" \t", line.find(':') + 1);
    if (begin != std::string::npos) return line.substr(begin);
  }
  return "unknown";
}

std::vector<Library> libraries() {
  std::vector<Library> all = {{"LibTorch", TORCH_VERSION}};
  if (at::hasMKL()) all.push_back({"MKL", at::get_mkl_version()});
  if (at::hasMKLDNN()) all.push_back({"oneDNN", at::get_mkldnn_version()});
  all.push_back({"OpenMP", at::get_openmp_version()});
  return all;
}

std::vector<DeviceLimits> gpus() {
  std::vector<DeviceLimits> found;
  const auto count = static_cast<int>(at::hasCUDA() ? at::getNumGPUs() : 0);
  for (int i = 0; i < count; ++i) {
    if constexpr (ops::kHasCudaKernels) found.push_back(ops::cuda_device_limits(i));
  }
  return found;
}

}  // namespace

MachineReport machine_report() {
  MachineReport report;
  report.machine.processor = processor_name();
  report.machine.cores = std::thread::hardware_concurrency();
  report.machine.threads = at::get_num_threads();
  report.machine.instructions = kernels::isa_name(kernels::best_isa());
  report.machine.bf16 = ops::has_bf16_products();
  report.libraries = libraries();
  report.gpus = gpus();
  return report;
}

}  // namespace farstate
