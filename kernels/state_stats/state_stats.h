// SPDX-License-Identifier: GPL-3.0-or-later
// Four statistics of each state: sum, sum of squares, largest absolute value, and the number of
// elements that are not finite, which are left out of the first three. All in double precision.
#pragma once

#include <cstdint>

#include "kernels/simd/isa.h"

namespace farstate::kernels {

template <class Real>
struct StateStats {
  int64_t rows = 0;         // B*H
  int64_t elements = 0;     // P*N
  const Real* h = nullptr;  // [rows,elements]
  double* stats = nullptr;  // [rows,4]
};

// Rows [begin, end).
template <class Real>
void state_stats(const StateStats<Real>& args, int64_t begin, int64_t end, Isa isa = best_isa());

}  // namespace farstate::kernels
