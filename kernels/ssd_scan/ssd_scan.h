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
  Real* block_states = nullptr;   // [B,H,ceil(T/kSsdBlock),P,N] or null: states entering blocks
  // Ascending positions after which the state's statistics (kernels/state_stats) are taken.
  const int64_t* stat_positions = nullptr;  // [K]
  int64_t K = 0;
  double* stats = nullptr;  // [B,K,H,4]
};

// Positions between two states that the forward keeps for the backward: 32 keeps what a tile of the
// backward touches in 32 KiB of first cache; twice as many would halve the memory of the states and
// cost a fifth more time.
inline constexpr int64_t kSsdBlock = 32;

// Heads of one group whose gradients of B and C one task adds up.
inline constexpr int64_t kSsdHeadsPerSlice = 4;

template <class Real>
struct SsdScanBackward {
  SsdScanInputs<Real> in;
  const Real* block_states = nullptr;  // [B,H,ceil(T/kSsdBlock),P,N]
  const Real* grad_y = nullptr;        // [B,T,H*P], strided
  int64_t grad_y_stride_b = 0, grad_y_stride_t = 0;
  const Real* grad_h_last = nullptr;  // [B,H,P,N] or null (zero)

  Real* grad_x = nullptr;  // [B,T,H*P], strided
  Real* grad_B = nullptr;  // [B,T,G*N], strided as grad_x
  Real* grad_C = nullptr;  // [B,T,G*N], strided as grad_x
  int64_t grad_xBC_stride_b = 0, grad_xBC_stride_t = 0;
  Real* grad_dt_raw = nullptr;   // [B,T,H]
  Real* grad_h_first = nullptr;  // [B,H,P,N]
  // Per batch row; the caller adds the rows up.
  double* grad_A = nullptr;        // [B,H]
  double* grad_D = nullptr;        // [B,H]
  double* grad_dt_bias = nullptr;  // [B,H]
  // Sums over the heads of a slice, S slices in all (ssd_scan_slices); the gather adds them up.
  Real* slice_grad_B = nullptr;  // [B,T,S,N]
  Real* slice_grad_C = nullptr;  // [B,T,S,N]
};

int64_t ssd_scan_slices(const SsdScanSizes& sizes);

// Tasks [begin, end) of B*H: task b*H + h is head h of batch row b.
template <class Real>
void ssd_scan_forward(const SsdScanForward<Real>& args, int64_t begin, int64_t end,
                      Isa isa = best_isa());

// Tasks [begin, end) of B*S: task b*S + s is slice s of batch row b. All but grad_B and grad_C.
template <class Real>
void ssd_scan_backward(const SsdScanBackward<Real>& args, int64_t begin, int64_t end,
                       Isa isa = best_isa());

// Tasks [begin, end) of B*T, after every slice is done: grad_B and grad_C of position (b,t).
template <class Real>
void ssd_scan_backward_gather(const SsdScanBackward<Real>& args, int64_t begin, int64_t end);

}  // namespace farstate::kernels
