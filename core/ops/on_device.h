// SPDX-License-Identifier: GPL-3.0-or-later
// The operators off the CPU. <op>_on_device() is what the operators of the same name call for such
// tensors: it checks, chooses (backend.h) and runs one of the two that follow it, whose arguments
// and results are those of <op>, but for what only the CPU promises: a step equals the scan to
// rounding, not to the bit.
#pragma once

#include "core/ops/causal_conv1d.h"
#include "core/ops/cross_entropy.h"
#include "core/ops/ssd_scan.h"

namespace farstate::ops {

// From the memory of the host without waiting for the copy; what is there already stays as it is.
at::Tensor to_device(const at::Tensor& tensor, const at::Device& device);

CausalConv1dResult causal_conv1d_on_device(const at::Tensor& u, const at::Tensor& weight,
                                           const at::Tensor& bias, const at::Tensor& context);
CausalConv1dResult causal_conv1d_cuda(const at::Tensor& u, const at::Tensor& weight,
                                      const at::Tensor& bias, const at::Tensor& context);

at::Tensor gated_rmsnorm_on_device(const at::Tensor& y, const at::Tensor& z,
                                   const at::Tensor& weight, int64_t groups, double eps);
at::Tensor gated_rmsnorm_cuda(const at::Tensor& y, const at::Tensor& z, const at::Tensor& weight,
                              int64_t groups, double eps);

SsdScanResult ssd_scan_on_device(const at::Tensor& xBC, const at::Tensor& dt_raw,
                                 const at::Tensor& A, const at::Tensor& D,
                                 const at::Tensor& dt_bias, const at::Tensor& h_first,
                                 const SsdScanOptions& options);
SsdScanResult ssd_scan_cuda(const at::Tensor& xBC, const at::Tensor& dt_raw, const at::Tensor& A,
                            const at::Tensor& D, const at::Tensor& dt_bias,
                            const at::Tensor& h_first, const SsdScanOptions& options);
// Chunked by matrix products; differentiable any number of times.
SsdScanResult ssd_scan_aten(const at::Tensor& xBC, const at::Tensor& dt_raw, const at::Tensor& A,
                            const at::Tensor& D, const at::Tensor& dt_bias,
                            const at::Tensor& h_first, const SsdScanOptions& options);

at::Tensor ssd_step_on_device(const at::Tensor& xBC, const at::Tensor& dt_raw, const at::Tensor& A,
                              const at::Tensor& D, const at::Tensor& dt_bias, at::Tensor& h,
                              const SsdScanOptions& options);
at::Tensor ssd_step_cuda(const at::Tensor& xBC, const at::Tensor& dt_raw, const at::Tensor& A,
                         const at::Tensor& D, const at::Tensor& dt_bias, at::Tensor& h,
                         const SsdScanOptions& options);
at::Tensor ssd_step_aten(const at::Tensor& xBC, const at::Tensor& dt_raw, const at::Tensor& A,
                         const at::Tensor& D, const at::Tensor& dt_bias, at::Tensor& h,
                         const SsdScanOptions& options);

at::Tensor state_stats_on_device(const at::Tensor& h);
at::Tensor state_stats_cuda(const at::Tensor& h);
at::Tensor state_stats_aten(const at::Tensor& h);  // h [...,P,N] -> [...,4]

at::Tensor linear_on_device(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                            Compute compute);

// Logits that exist at a time off the CPU: 256 MiB. Small blocks would leave a device idle.
inline constexpr int64_t kDeviceBlockLogits = int64_t{1} << 26;

// A block of logits on its way to the losses of its rows, and back to the logits' gradients, which
// take their place. All contiguous.
struct NllBlock {
  at::Tensor logits;       // [R,V]
  at::Tensor targets;      // [R]
  at::Tensor log_sum_exp;  // [R], which the forward pass writes
};
void nll_forward_cuda(const NllBlock& block, const at::Tensor& nll);
void nll_backward_cuda(const NllBlock& block, const at::Tensor& grad_nll);

// Targets are not looked at on the host: that would wait for the device.
at::Tensor head_nll_on_device(const at::Tensor& hidden, const at::Tensor& weight,
                              const at::Tensor& targets, Compute compute, int64_t block_logits);

}  // namespace farstate::ops
