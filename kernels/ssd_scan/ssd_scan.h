// SPDX-License-Identifier: GPL-3.0-or-later
// Mamba-2's recurrence on the CPU, forward and backward (SSD; Dao and Gu 2024, arXiv:2405.21060).
// Per batch row b and head h, with g = h / (H/G) the head's group:
//   dt_t = clamp(softplus(dt_raw_t + dt_bias), dt_min, dt_max)
//   h_t  = exp(dt_t A) h_{t-1} + dt_t x_t (outer) B_t
//   y_t  = h_t C_t + D x_t
// Letters: docs/NOTATION.md. Real is float or double. Each function works on a range of tasks in
// the calling thread; ranges may run in any order and on any threads with the same result.
#pragma once

#include <cstdint>

#include "kernels/simd/isa.h"

namespace farstate::kernels {

struct SsdScanSizes {
  int64_t B = 0, T = 0, H = 0, P = 0, N = 0, G = 1;
  double dt_min = 0, dt_max = 0;  // limits of dt after softplus
};

template <class Real>
struct SsdScanInputs {
  SsdScanSizes sizes;
  // x, B and C are parts of one row per position: element i of position (b,t) lies at
  // pointer[b * xBC_stride_b + t * xBC_stride_t + i].
  const Real* x = nullptr;  // [B,T,H*P]
  const Real* B = nullptr;  // [B,T,G*N]
  const Real* C = nullptr;  // [B,T,G*N]
  int64_t xBC_stride_b = 0, xBC_stride_t = 0;
  const Real* dt_raw = nullptr;  // [B,T,H], strided likewise
  int64_t dt_stride_b = 0, dt_stride_t = 0;
  const Real* A = nullptr;        // [H]
  const Real* D = nullptr;        // [H] or null (zero)
  const Real* dt_bias = nullptr;  // [H] or null (zero)
};

template <class Real>
struct SsdScanForward {
  SsdScanInputs<Real> in;
  const Real* h_first = nullptr;  // [B,H,P,N] or null (zero)
  Real* y = nullptr;              // [B,T,H,P]
  Real* h_last = nullptr;         // [B,H,P,N]; may be h_first
  Real* block_states = nullptr;   // [B,H,ssd_blocks(T),P,N] or null: states entering blocks
  // Ascending positions after which the state's statistics (kernels/state_stats) are taken.
  const int64_t* stat_positions = nullptr;  // [K]
  int64_t K = 0;
  double* stats = nullptr;  // [B,K,H,4]
};

// Positions between two states that the forward keeps for the backward, which works block by block.
inline constexpr int64_t kSsdBlock = 64;

inline int64_t ssd_blocks(int64_t T) { return (T + kSsdBlock - 1) / kSsdBlock; }

template <class Real>
struct SsdScanBackward {
  SsdScanInputs<Real> in;
  const Real* block_states = nullptr;  // [B,H,ssd_blocks(T),P,N]
  const Real* grad_y = nullptr;        // [B,T,H*P], strided
  int64_t grad_y_stride_b = 0, grad_y_stride_t = 0;
  const Real* grad_h_last = nullptr;  // [B,H,P,N] or null (zero)
  bool begins_at_zero = false;        // there was no h_first: the first of block_states is zero

  Real* grad_x = nullptr;  // [B,T,H*P], strided
  Real* grad_B = nullptr;  // [B,T,G*N], strided as grad_x
  Real* grad_C = nullptr;  // [B,T,G*N], strided as grad_x
  int64_t grad_xBC_stride_b = 0, grad_xBC_stride_t = 0;
  Real* grad_dt_raw = nullptr;   // [B,T,H]
  Real* grad_h_first = nullptr;  // [B,H,P,N] or null (not wanted)
  // Per batch row; the caller adds the rows up.
  double* grad_A = nullptr;        // [B,H]
  double* grad_D = nullptr;        // [B,H]
  double* grad_dt_bias = nullptr;  // [B,H]
  // What the steps below hand on.
  Real* block_grads = nullptr;   // as block_states: gradients of the states that leave blocks
  double* block_sums = nullptr;  // [B,H,blocks,3] of A, D and dt_bias
};

// Tasks [begin, end) of B*H: task b*H + h is head h of batch row b.
template <class Real>
void ssd_scan_forward(const SsdScanForward<Real>& args, int64_t begin, int64_t end,
                      Isa isa = best_isa());

// The backward pass is three steps, each after all tasks of the one before.
// Tasks [begin, end) of B*H: block_grads and grad_h_first of head h of batch row b.
template <class Real>
void ssd_scan_backward_states(const SsdScanBackward<Real>& args, int64_t begin, int64_t end,
                              Isa isa = best_isa());
// Tasks [begin, end) of B*blocks*G: the block's gradients of x, B, C and dt_raw of a group's heads.
template <class Real>
void ssd_scan_backward_blocks(const SsdScanBackward<Real>& args, int64_t begin, int64_t end,
                              Isa isa = best_isa());
// grad_A, grad_D and grad_dt_bias.
template <class Real>
void ssd_scan_backward_sums(const SsdScanBackward<Real>& args);

}  // namespace farstate::kernels
