// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/on_device.h"

#include <fmt/format.h>

#include "core/ops/backend.h"
#include "core/ops/gated_rmsnorm.h"
#include "core/ops/op_support.h"

namespace farstate::ops {
namespace {

using at::Tensor;

// The CUDA way exists only where the build has the kernels; elsewhere nothing may name it.
template <class Cuda, class Aten>
auto run(Backend backend, const Cuda& cuda, const Aten& aten) {
  if constexpr (kHasCudaKernels) {
    if (backend == Backend::kCudaKernel) return cuda();
  }
  return aten();
}

// xBC [...,H*P + 2*G*N], dt_raw [...,H]; B and T are left out, since no choice depends on them.
kernels::SsdScanSizes checked_sizes(const char* op, const Tensor& xBC, const Tensor& dt_raw,
                                    const SsdScanOptions& options) {
  expect_real(op, "xBC", xBC, xBC.dim());
  expect_real(op, "dt_raw", dt_raw, xBC.dim());
  kernels::SsdScanSizes s;
  s.H = dt_raw.size(-1);
  s.N = options.state_dim;
  s.G = options.groups;
  s.dt_min = options.dt_min;
  s.dt_max = options.dt_max;
  const int64_t width = xBC.size(-1) - 2 * s.G * s.N;
  const bool fits = s.H >= 1 && s.N >= 1 && s.G >= 1 && s.H % s.G == 0 && width >= s.H &&
                    width % s.H == 0;
  expect(fits, op, "N, G >= 1, H a multiple of G, and xBC of width H*P + 2*G*N",
         fmt::format("H = {}, N = {}, G = {}, a width of {}", s.H, s.N, s.G, xBC.size(-1)));
  s.P = width / s.H;
  return s;
}

void check_scan(const char* op, const kernels::SsdScanSizes& s, const Tensor& xBC,
                const Tensor& dt_raw, const Tensor& A, const Tensor& D, const Tensor& dt_bias) {
  std::vector<int64_t> rows = xBC.sizes().vec();
  rows.back() = s.H;
  expect_tensor(op, "dt_raw", dt_raw, rows, xBC);
  expect_tensor(op, "A", A, {s.H}, xBC);
  expect_optional(op, "D", D, {s.H}, xBC);
  expect_optional(op, "dt_bias", dt_bias, {s.H}, xBC);
}

void check_positions(const std::vector<int64_t>& positions, int64_t T) {
  int64_t least = 0;
  for (const int64_t position : positions) {
    expect(position >= least && position < T, "ssd_scan",
           fmt::format("stat_positions ascending in [0, {})", T),
           fmt::format("{} where at least {} had to come", position, least));
    least = position + 1;
  }
}

}  // namespace

// A copy out of memory that the device can't reach by itself makes the host wait for it.
Tensor to_device(const Tensor& tensor, const at::Device& device) {
  if (!tensor.defined() || tensor.device() == device) return tensor;
  if (!tensor.is_cpu() || !device.is_cuda()) return tensor.to(device);
  return (tensor.is_pinned() ? tensor : tensor.contiguous().pin_memory())
      .to(device, /*non_blocking=*/true);
}

CausalConv1dResult causal_conv1d_on_device(const Tensor& u, const Tensor& weight,
                                           const Tensor& bias, const Tensor& context) {
  constexpr char kOp[] = "causal_conv1d";
  expect_real(kOp, "u", u, 3);
  expect_real(kOp, "weight", weight, 2);
  const int64_t C = u.size(2), W = weight.size(1);
  expect(u.size(1) >= 1 && C >= 1 && W >= 1, kOp, "T, C and W >= 1", "a size of zero");
  expect_tensor(kOp, "weight", weight, {C, W}, u);
  expect_optional(kOp, "bias", bias, {C}, u);
  expect_optional(kOp, "context", context, {u.size(0), W - 1, C}, u);
  return run(
      use_backend(Operator::kCausalConv1d, u),
      [&] { return causal_conv1d_cuda(u, weight, bias, context); },
      [&] { return causal_conv1d_silu_naive(u, weight, bias, context); });
}

Tensor gated_rmsnorm_on_device(const Tensor& y, const Tensor& z, const Tensor& weight,
                               int64_t groups, double eps) {
  constexpr char kOp[] = "gated_rmsnorm";
  expect_real(kOp, "y", y, y.dim());
  expect(y.dim() >= 1 && groups >= 1 && y.size(-1) >= 1 && y.size(-1) % groups == 0, kOp,
         "y [...,C], C a multiple of the groups", fmt::format("groups = {}", groups));
  expect_optional(kOp, "z", z, y.sizes(), y);
  expect_tensor(kOp, "weight", weight, {y.size(-1)}, y);
  return run(
      use_backend(Operator::kGatedRmsNorm, y),
      [&] { return gated_rmsnorm_cuda(y, z, weight, groups, eps); },
      [&] { return gated_rmsnorm_naive(y, z, weight, groups, eps); });
}

SsdScanResult ssd_scan_on_device(const Tensor& xBC, const Tensor& dt_raw, const Tensor& A,
                                 const Tensor& D, const Tensor& dt_bias, const Tensor& h_first,
                                 const SsdScanOptions& options) {
  constexpr char kOp[] = "ssd_scan";
  expect(xBC.dim() == 3 && xBC.size(1) >= 1, kOp, "xBC [B,T,...] with T >= 1", "another tensor");
  kernels::SsdScanSizes s = checked_sizes(kOp, xBC, dt_raw, options);
  s.B = xBC.size(0);
  s.T = xBC.size(1);
  check_scan(kOp, s, xBC, dt_raw, A, D, dt_bias);
  expect_optional(kOp, "h_first", h_first, {s.B, s.H, s.P, s.N}, xBC);
  check_positions(options.stat_positions, s.T);
  return run(
      use_backend(Operator::kSsdScan, xBC, s),
      [&] { return ssd_scan_cuda(xBC, dt_raw, A, D, dt_bias, h_first, options); },
      [&] { return ssd_scan_aten(xBC, dt_raw, A, D, dt_bias, h_first, options); });
}

Tensor ssd_step_on_device(const Tensor& xBC, const Tensor& dt_raw, const Tensor& A,
                          const Tensor& D, const Tensor& dt_bias, Tensor& h,
                          const SsdScanOptions& options) {
  constexpr char kOp[] = "ssd_step";
  expect(xBC.dim() == 2, kOp, "xBC [B,...]", "another tensor");
  kernels::SsdScanSizes s = checked_sizes(kOp, xBC, dt_raw, options);
  s.B = xBC.size(0);
  s.T = 1;
  check_scan(kOp, s, xBC, dt_raw, A, D, dt_bias);
  expect_tensor(kOp, "h", h, {s.B, s.H, s.P, s.N}, xBC);
  expect(h.is_contiguous(), kOp, "h contiguous", "a strided view");
  expect(!any_requires_grad({xBC, dt_raw, A, D, dt_bias, h}), kOp,
         "operands without gradients, since it updates h in place", "one that requires grad");
  return run(
      use_backend(Operator::kSsdStep, xBC, s),
      [&] { return ssd_step_cuda(xBC, dt_raw, A, D, dt_bias, h, options); },
      [&] { return ssd_step_aten(xBC, dt_raw, A, D, dt_bias, h, options); });
}

Tensor state_stats_on_device(const Tensor& h) {
  expect_real("state_stats", "h", h, 4);
  expect(h.is_contiguous(), "state_stats", "h contiguous", "a strided view");
  return run(
      use_backend(Operator::kStateStats, h), [&] { return state_stats_cuda(h); },
      [&] { return state_stats_aten(h); });
}

}  // namespace farstate::ops
