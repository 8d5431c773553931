// SPDX-License-Identifier: GPL-3.0-or-later
// Mamba-2's recurrence (SSD; Dao and Gu 2024, arXiv:2405.21060), per batch row b and head h, with
// g = h / (H/G) the head's group:
//   dt_t = clamp(softplus(dt_raw_t + dt_bias), dt_min, dt_max)
//   h_t  = exp(dt_t A) h_{t-1} + dt_t x_t (outer) B_t      h [P,N]
//   y_t  = h_t C_t + D x_t
// Letters: docs/NOTATION.md. The state is a first-class operand: h_{-1} goes in, h_{T-1} comes
// out, and gradients flow through both.
#pragma once

#include <ATen/core/Tensor.h>

#include <limits>
#include <vector>

namespace farstate::ops {

struct SsdScanOptions {
  int64_t groups = 1;
  int64_t state_dim = 0;  // N
  double dt_min = 0.0;    // limits of dt after softplus: dt_limit in state-spaces' config,
  double dt_max = std::numeric_limits<double>::infinity();  // time_step_limit in transformers'
  // Ascending positions in [0, T) after which the state's statistics are taken.
  std::vector<int64_t> stat_positions;
};

struct SsdScanResult {
  at::Tensor y;       // [B,T,H,P]
  at::Tensor h_last;  // [B,H,P,N]
  // [B,K,H,4], K = stat_positions.size(): sum, sum of squares, maximum of |h|, count of elements
  // that are not finite, over the P x N elements. fp64, no gradient. Undefined if K is 0.
  at::Tensor stats;
};

// xBC     [B,T,H*P + 2*G*N]  x | B | C packed as the convolution leaves them; last dim contiguous
// dt_raw  [B,T,H]            before bias and softplus; last dim contiguous
// A       [H]                negative
// D       [H] or undefined
// dt_bias [H] or undefined
// h_first [B,H,P,N] or undefined (zero)
// All of one dtype, float or double, on one device. Differentiable in every operand.
// Throws Error(kInternal) with wanted and actual shapes.
SsdScanResult ssd_scan(const at::Tensor& xBC, const at::Tensor& dt_raw,
                       const at::Tensor& A, const at::Tensor& D, const at::Tensor& dt_bias,
                       const at::Tensor& h_first, const SsdScanOptions& options);

// dt_t as above, [B,T,H], in ATen operations.
at::Tensor ssd_steps(const at::Tensor& dt_raw, const at::Tensor& dt_bias,
                     const SsdScanOptions& options);

// The literal recurrence above in ATen operations, one position at a time, any dtype: the oracle
// of the tests and of selftest. Same arguments and results.
SsdScanResult ssd_scan_naive(const at::Tensor& xBC, const at::Tensor& dt_raw,
                             const at::Tensor& A, const at::Tensor& D,
                             const at::Tensor& dt_bias, const at::Tensor& h_first,
                             const SsdScanOptions& options);

// One position without autograd, for decoding: xBC [B,H*P+2*G*N], dt_raw [B,H], h [B,H,P,N]
// contiguous and updated in place; returns y [B,H,P]. Equals ssd_scan with T = 1 to the bit.
at::Tensor ssd_step(const at::Tensor& xBC, const at::Tensor& dt_raw,
                       const at::Tensor& A, const at::Tensor& D, const at::Tensor& dt_bias,
                       at::Tensor& h, const SsdScanOptions& options);

}  // namespace farstate::ops
