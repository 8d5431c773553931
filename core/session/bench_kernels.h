// SPDX-License-Identifier: GPL-3.0-or-later
// Single operators and matrix products, timed, and the gate before any timing: what computes wrong
// numbers is not timed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/models/model_config.h"
#include "core/results/bench_report.h"
#include "core/session/jobs.h"
#include "core/session/stopwatch.h"

namespace farstate {

// Every operator that is timed here against its oracle, at a small and odd size: results and
// gradients.
std::vector<SelftestCheck> check_operators();

// Throws Error(kInternal) naming the first check that has not passed.
void refuse_wrong_numbers(const std::vector<SelftestCheck>& checks);

struct KernelBench {
  std::string name;
  std::string shape;
  std::string dtype = "float32";
  std::string by = "Farstate";
  double flops = 0;  // useful ones of a call
  double bytes = 0;  // that a call must read or write at least once
  std::function<Timing(const TimingPace&)> time;  // makes its operands, and frees them
};

// What a layer and the head of a model are made of, for B rows of T positions.
std::vector<KernelBench> operator_benches(const Mamba2Config& config, int64_t B, int64_t T);

// Products of matrices; the first is the library's of 1024 x 1024 in float32, gemm_gflops.
std::vector<KernelBench> product_benches(bool bf16);

// Without the share of a roofline.
KernelSpeed time_kernel(const KernelBench& bench, const TimingPace& pace);

}  // namespace farstate
