// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/backend.h"

#include <ATen/Context.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>

#include "kernels/ssd_scan/ssd_scan_cuda.h"

namespace farstate::ops {
namespace {

std::atomic<MatrixInputs> g_matrix_inputs{MatrixInputs::kFp32};
// The backward pass runs in a thread of its own, so this is no thread's property.
std::atomic<bool> g_device_way{false};
std::optional<Backend> g_forced;  // set before and reset after the work of a test

std::mutex g_uses_mutex;
std::vector<BackendUse> g_uses;

bool supports(Operator op, const kernels::SsdScanSizes& sizes) {
  if constexpr (kHasCudaKernels) {
    const bool depends = op == Operator::kSsdScan || op == Operator::kSsdStep;
    return !depends || kernels::cuda::ssd_scan_supports(sizes);
  }
  return false;
}

}  // namespace

const char* name_of(Operator op) {
  switch (op) {
    case Operator::kCausalConv1d: return "causal_conv1d_silu";
    case Operator::kGatedRmsNorm: return "gated_rmsnorm";
    case Operator::kSsdScan: return "ssd_scan";
    case Operator::kSsdStep: return "ssd_step";
    case Operator::kStateStats: return "state_stats";
    case Operator::kHeadNll: return "head_nll";
    case Operator::kLinear: return "linear";
  }
  return "";
}

const char* name_of(Backend backend) {
  switch (backend) {
    case Backend::kCpuKernel: return "CPU kernel";
    case Backend::kCudaKernel: return "CUDA kernel";
    case Backend::kAten: return "ATen";
  }
  return "";
}

BackendChoice choose_backend(Operator op, const at::Device& device, at::ScalarType dtype,
                             const kernels::SsdScanSizes& sizes) {
  if (op == Operator::kLinear && !device.is_cpu()) {
    return {Backend::kAten, "matrix products are cuBLAS's"};
  }
  if (device.is_cpu()) return {Backend::kCpuKernel, "on the CPU"};
  if (!device.is_cuda()) return {Backend::kAten, fmt::format("no kernels for {}", device.str())};
  if (!kHasCudaKernels) return {Backend::kAten, "this build has no CUDA kernels (FARSTATE_CUDA)"};
  if (dtype != at::kFloat) {
    return {Backend::kAten, fmt::format("the CUDA kernels take Float, not {}", toString(dtype))};
  }
  if (!supports(op, sizes)) {
    return {Backend::kAten, fmt::format("the CUDA kernel doesn't take P = {}, N = {}, H = {}, G = {}",
                                        sizes.P, sizes.N, sizes.H, sizes.G)};
  }
  return {Backend::kCudaKernel, "on a CUDA device"};
}

Backend use_backend(Operator op, const at::Tensor& like, const kernels::SsdScanSizes& sizes) {
  BackendChoice choice = g_forced && like.is_cpu()
                             ? BackendChoice{*g_forced, "asked for by a test"}
                             : choose_backend(op, like.device(), like.scalar_type(), sizes);
  const Backend backend = choice.backend;
  const std::scoped_lock lock(g_uses_mutex);
  const auto same = [&](const BackendUse& use) {
    return use.op == op && use.choice.backend == backend && use.choice.why == choice.why;
  };
  auto use = std::find_if(g_uses.begin(), g_uses.end(), same);
  if (use == g_uses.end()) use = g_uses.insert(use, {op, std::move(choice), 0});
  ++use->calls;
  return backend;
}

std::vector<BackendUse> backend_uses() {
  const std::scoped_lock lock(g_uses_mutex);
  return g_uses;
}

void reset_backend_uses() {
  const std::scoped_lock lock(g_uses_mutex);
  g_uses.clear();
}

void set_matrix_inputs(MatrixInputs inputs) {
  g_matrix_inputs = inputs;
  at::globalContext().setAllowTF32CuBLAS(inputs != MatrixInputs::kFp32);
}

MatrixInputs matrix_inputs() { return g_matrix_inputs; }

ScopedDeviceWay::ScopedDeviceWay(Backend backend) {
  g_forced = backend;
  g_device_way = true;
}

ScopedDeviceWay::~ScopedDeviceWay() {
  g_device_way = false;
  g_forced.reset();
}

bool takes_device_way(const at::Tensor& operand) {
  return operand.defined() &&
         (!operand.is_cpu() || g_device_way.load(std::memory_order_relaxed));
}

}  // namespace farstate::ops
