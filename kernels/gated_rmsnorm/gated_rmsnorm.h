// SPDX-License-Identifier: GPL-3.0-or-later
// Gated, grouped root mean square normalisation on the CPU, forward and backward:
//   v = y silu(z),  out = weight v rstd,  rstd = 1 / sqrt(mean over the group of v^2 + eps)
// R rows of C channels in G groups of C/G neighbours. Without z, v = y. Real is float or double.
#pragma once

#include <cstdint>

#include "kernels/simd/isa.h"

namespace farstate::kernels {

// Rows whose gradients of weight one backward task adds up.
inline constexpr int64_t kNormRows = 64;

struct GatedRmsNormSizes {
  int64_t R = 0, C = 0, G = 1;
  double eps = 0;

  int64_t backward_tasks() const { return (R + kNormRows - 1) / kNormRows; }
};

template <class Real>
struct GatedRmsNormInputs {
  GatedRmsNormSizes sizes;
  const Real* y = nullptr;  // [R,C]: channel c of row r at y[r * y_stride + c]
  int64_t y_stride = 0;
  const Real* z = nullptr;  // [R,C], strided likewise, or null (no gate)
  int64_t z_stride = 0;
  const Real* weight = nullptr;  // [C]
};

template <class Real>
struct GatedRmsNormForward {
  GatedRmsNormInputs<Real> in;
  Real* out = nullptr;   // [R,C]
  Real* rstd = nullptr;  // [R,G] or null: not kept
};

template <class Real>
struct GatedRmsNormBackward {
  GatedRmsNormInputs<Real> in;
  const Real* rstd = nullptr;      // [R,G]
  const Real* grad_out = nullptr;  // [R,C], strided as y
  int64_t grad_out_stride = 0;
  Real* grad_y = nullptr;       // [R,C]
  Real* grad_z = nullptr;       // [R,C]; null without z
  Real* grad_weight = nullptr;  // [backward_tasks(),C]; the caller adds the rows up
};

// Rows [begin, end).
template <class Real>
void gated_rmsnorm_forward(const GatedRmsNormForward<Real>& args, int64_t begin, int64_t end,
                           Isa isa = best_isa());

// Tasks [begin, end) of sizes.backward_tasks().
template <class Real>
void gated_rmsnorm_backward(const GatedRmsNormBackward<Real>& args, int64_t begin, int64_t end,
                            Isa isa = best_isa());

}  // namespace farstate::kernels
