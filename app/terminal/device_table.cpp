// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/terminal/device_table.h"

#include <fmt/format.h>

#include <cstdio>

#include "core/base/error.h"
#include "core/session/jobs.h"

namespace farstate {

void print_device(const DeviceReport& report) {
  const DeviceLimits& limits = report.limits;
  if (!limits.name.empty()) {
    fmt::print("device           {}, {}, compute capability {}, {} multiprocessors, {:.1f} GB\n",
               report.device, limits.name, limits.capability, limits.multiprocessors,
               static_cast<double>(limits.memory_bytes) / 1e9);
    if (limits.fp32_flops > 0) {
      fmt::print("its limits       {:.1f} TFLOP/s fp32, {:.1f} tf32, {:.1f} bf16, {:.0f} GB/s (published "
                 "rates at the clock that it names)\n",
                 limits.fp32_flops / 1e12, limits.tf32_flops / 1e12, limits.bf16_flops / 1e12,
                 limits.bytes_per_second / 1e9);
    }
  }
  fmt::print("{:<20} {:<12} {:>8}  why\n", "operator", "ran as", "calls");
  for (const OperatorUse& use : report.operators) {
    fmt::print("{:<20} {:<12} {:>8}  {}\n", use.op, use.by, use.calls, use.why);
  }
  if (report.peak_bytes > 0) {
    fmt::print("memory           {:.1f} MB at most in tensors, {:.1f} MB held\n",
               static_cast<double>(report.peak_bytes) / 1e6,
               static_cast<double>(report.reserved_bytes) / 1e6);
  }
}

void print_shares_of_limits(const BenchReport& report) {
  const DeviceLimits& limits = report.device.limits;
  if (limits.fp32_flops <= 0) return;
  fmt::print("\n{:<24} {:<34} {:<9} {:>9} {:>7} {:>9} {:>7}\n", "of the device's limits", "shape", "dtype",
             "TFLOP/s", "share", "GB/s", "share");
  for (const KernelSpeed& s : report.kernels) {
    const double most = s.dtype == "tf32"       ? limits.tf32_flops
                        : s.dtype == "bfloat16" ? limits.bf16_flops
                                                : limits.fp32_flops;
    fmt::print("{:<24} {:<34} {:<9} {:>9.2f} {:>5.1f} % {:>9.1f} {:>5.1f} %\n", s.name, s.shape, s.dtype,
               s.gflops / 1e3, 100 * s.gflops * 1e9 / most, s.gbytes_per_second,
               100 * s.gbytes_per_second * 1e9 / limits.bytes_per_second);
  }
}

int run_device_selftest(const std::string& device) {
  bool all = true, begun = false;
  const DeviceReport report = selftest_device(device, [&](const SelftestCheck& check) {
    if (!begun) fmt::print("{:<66} {:>10} {:>8}\n", "check (error: RMS ratio to the CPU)", "error", "bound");
    begun = true;
    fmt::print("{:<66} {:>10.2e} {:>8.0e}  {}\n", check.name, check.error, check.bound,
               check.passed ? "ok" : "FAILED");
    std::fflush(stdout);
    all = all && check.passed;
  });
  print_device(report);
  fmt::print("{}\n", all ? "All checks passed on this device."
                         : "This device computes wrong numbers; please report it with these tables.");
  return all ? 0 : static_cast<int>(ErrorKind::kInternal);
}

}  // namespace farstate
