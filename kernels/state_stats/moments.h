// SPDX-License-Identifier: GPL-3.0-or-later
// The statistics of kernels/state_stats, built up piece by piece inside a kernel. Only for
// <op>_cpu.cpp files.
#pragma once

#include "kernels/simd/lanes.h"

namespace farstate::kernels::FARSTATE_ISA {

constexpr float largest_finite(float) { return __FLT_MAX__; }
constexpr double largest_finite(double) { return __DBL_MAX__; }

// Sums run in double precision, lane by lane: a vector of floats is widened in two halves.
template <class Real>
class Moments {
 public:
  FARSTATE_INLINE void add(const Real* values, int64_t count) {
    for_each_vector<Real>(count, [&](int64_t i, int64_t used) {
      const Vec<Real> value = load_first(values + i, used);
      const Vec<Real> size = value < Real(0) ? -value : value;
      const IntVec<Real> finite = size <= largest_finite(Real());  // false for NaN
      non_finite_ += finite + 1;                                   // a true lane is -1
      max_abs_ = (finite & (size > max_abs_)) ? size : max_abs_;
      const Vec<Real> kept = finite ? value : Vec<Real>{};
      Part parts[kParts];
      __builtin_memcpy(parts, &kept, sizeof(kept));
      for (int part = 0; part < kParts; ++part) {
        const Vec<double> wide = __builtin_convertvector(parts[part], Vec<double>);
        sum_[part] += wide;
        sum_squares_[part] += wide * wide;
      }
    });
  }

  FARSTATE_INLINE void store(double* to) const {  // [4]
    double sum = 0, sum_squares = 0, max_abs = 0, non_finite = 0;
    for (int part = 0; part < kParts; ++part) {
      sum += sum_lanes<double>(sum_[part]);
      sum_squares += sum_lanes<double>(sum_squares_[part]);
    }
    for (int lane = 0; lane < kLanes<Real>; ++lane) {
      max_abs = max_abs_[lane] > max_abs ? max_abs_[lane] : max_abs;
      non_finite += non_finite_[lane];
    }
    to[0] = sum;
    to[1] = sum_squares;
    to[2] = max_abs;
    to[3] = non_finite;
  }

 private:
  static constexpr int kParts = sizeof(double) / sizeof(Real);
  typedef Real Part __attribute__((vector_size(kVectorBytes / kParts)));

  Vec<double> sum_[kParts] = {}, sum_squares_[kParts] = {};
  Vec<Real> max_abs_{};
  IntVec<Real> non_finite_{};
};

}  // namespace farstate::kernels::FARSTATE_ISA
