// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/device.h"

#include <ATen/Context.h>
#include <ATen/DeviceAccelerator.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>

#include "core/base/error.h"
#include "core/ops/backend.h"
#include "core/ops/device_limits.h"

namespace farstate {
namespace {

// Which GPU is meant; nothing where it is not spelled so.
std::optional<int> cuda_index(const std::string& name) {
  if (name == "cuda") return 0;
  constexpr std::string_view kPrefix = "cuda:";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  int index = 0;
  const char* const end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data() + kPrefix.size(), end, index);
  if (error != std::errc() || rest != end || index < 0 || index > 127) return std::nullopt;
  return index;
}

}  // namespace

c10::Device find_device(const std::string& name) {
  if (name == "cpu") return c10::Device(c10::DeviceType::CPU);
  const std::optional<int> index = cuda_index(name);
  if (!index) {
    throw Error(ErrorKind::kBadUsage,
                fmt::format("\"{}\" is no device; it must be cpu, cuda, or cuda:N for the GPU with the "
                            "number N.",
                            name));
  }
  // LibTorch's CUDA library registers itself when it is loaded.
  if (!at::CUDAHooksRegistry()->Has("CUDAHooks")) {
    throw Error(ErrorKind::kBadInput,
                fmt::format("{} can't be used: this program is linked with a LibTorch for the CPU alone. "
                            "Build it on a machine with an NVIDIA GPU, where ./run.sh fetches the LibTorch "
                            "for CUDA, or set LIBTORCH_DIR to one; or leave out --device.",
                            name));
  }
  const auto devices = static_cast<int>(at::hasCUDA() ? at::getNumGPUs() : 0);
  if (devices == 0) {
    throw Error(ErrorKind::kBadInput,
                fmt::format("{} can't be used: LibTorch finds no NVIDIA GPU on this machine. See what "
                            "nvidia-smi says; a driver that is too old counts as none. Or leave out "
                            "--device, and the CPU does the work.",
                            name));
  }
  if (*index >= devices) {
    throw Error(ErrorKind::kBadInput,
                fmt::format("{} can't be used: this machine has {} GPU{}, counted from 0.", name, devices,
                            devices == 1 ? "" : "s"));
  }
  return {c10::DeviceType::CUDA, static_cast<c10::DeviceIndex>(*index)};
}

void synchronize(const c10::Device& device) {
  if (device.is_cpu()) return;
  c10::impl::VirtualGuardImpl(device.type()).synchronizeDevice(device.index());
}

void reset_device_peak(const c10::Device& device) {
  if (device.is_cuda()) at::getDeviceAllocator(device.type())->resetPeakStats(device.index());
}

int64_t device_peak_bytes(const c10::Device& device) {
  if (!device.is_cuda()) return 0;
  const auto all = static_cast<size_t>(c10::CachingAllocator::StatType::AGGREGATE);
  return at::getDeviceAllocator(device.type())
      ->getDeviceStats(device.index()).allocated_bytes[all].peak;
}

void reset_device_report(const c10::Device& device) {
  ops::reset_backend_uses();
  reset_device_peak(device);
}

DeviceReport device_report(const c10::Device& device) {
  DeviceReport report;
  report.device = device.str();
  for (const ops::BackendUse& use : ops::backend_uses()) {
    report.operators.push_back(
        {ops::name_of(use.op), ops::name_of(use.choice.backend), use.choice.why, use.calls});
  }
  if (!device.is_cuda()) return report;
  if constexpr (ops::kHasCudaKernels) report.limits = ops::cuda_device_limits(device.index());
  const auto stats = at::getDeviceAllocator(device.type())->getDeviceStats(device.index());
  const auto all = static_cast<size_t>(c10::CachingAllocator::StatType::AGGREGATE);
  report.peak_bytes = device_peak_bytes(device);
  report.reserved_bytes = stats.reserved_bytes[all].peak;
  return report;
}

}  // namespace farstate
