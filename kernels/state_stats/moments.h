// SPDX-License-Identifier: GPL-3.0-or-later
// The statistics of kernels/state_stats, built up piece by piece inside a kernel. Only for
// <op>_cpu.cpp files.
#pragma once

#include "kernels/simd/lanes.h"

namespace farstate::kernels::FARSTATE_ISA {

constexpr double largest_finite(float) { return __FLT_MAX__; }
constexpr double largest_finite(double) { return __DBL_MAX__; }

struct Moments {
  double sum = 0, sum_squares = 0, max_abs = 0, non_finite = 0;

  template <class Real>
  FARSTATE_INLINE void add(const Real* values, int64_t count) {
    constexpr double limit = largest_finite(Real());
    double s = 0, squares = 0, largest = 0, bad = 0;
#pragma omp simd reduction(+ : s, squares, bad) reduction(max : largest)
    for (int64_t i = 0; i < count; ++i) {
      const double value = values[i];
      const double size = value < 0 ? -value : value;
      const bool finite = size <= limit;  // false for NaN
      const double kept = finite ? value : 0;
      s += kept;
      squares += kept * kept;
      largest = largest < size && finite ? size : largest;
      bad += finite ? 0 : 1;
    }
    sum += s;
    sum_squares += squares;
    non_finite += bad;
    max_abs = max_abs < largest ? largest : max_abs;
  }

  FARSTATE_INLINE void store(double* to) const {  // [4]
    to[0] = sum;
    to[1] = sum_squares;
    to[2] = max_abs;
    to[3] = non_finite;
  }
};

}  // namespace farstate::kernels::FARSTATE_ISA
