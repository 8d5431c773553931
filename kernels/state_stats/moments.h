// SPDX-License-Identifier: GPL-3.0-or-later
// The statistics of kernels/state_stats of a state inside a kernel. Only for
// <op>_cpu.cpp files.
#pragma once

#include "kernels/simd/lanes.h"

#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace farstate::kernels::FARSTATE_ISA {

constexpr float largest_finite(float) { return __FLT_MAX__; }
constexpr double largest_finite(double) { return __DBL_MAX__; }

// One half of a vector, in double. For AVX2 the compilers' own conversion comes out as two of half
// the width.
template <int kPart>
FARSTATE_INLINE Vec<double> widen(Vec<float> v) {
#if defined(__AVX__) && !defined(__AVX512F__)
  return _mm256_cvtps_pd(_mm256_extractf128_ps(v, kPart));
#else
  typedef float Half __attribute__((vector_size(kVectorBytes / 2)));
  Half halves[2];
  __builtin_memcpy(halves, &v, sizeof(v));
  return __builtin_convertvector(halves[kPart], Vec<double>);
#endif
}
template <int>
FARSTATE_INLINE Vec<double> widen(Vec<double> v) {
  return v;
}

// A state in rows of `width` elements, `stride` apart.
template <class Real>
struct StateRows {
  const Real* first;
  int64_t rows, width, stride;
};

// Sums run in double precision, lane by lane: a vector of floats is widened in parts. With kChecks
// what is not finite is counted and left out.
template <class Real, bool kChecks>
struct Moments {
  static constexpr int kParts = sizeof(double) / sizeof(Real);

  Vec<double> sum[kParts] = {}, squares[kParts] = {};
  Vec<Real> max_abs{};
  IntVec<Real> non_finite{};

  FARSTATE_INLINE void add(Vec<Real> value) {
    constexpr LaneInt<Real> kWithoutSign = ~(LaneInt<Real>(1) << (8 * sizeof(Real) - 1));
    const Vec<Real> size =
        reinterpret_cast<Vec<Real>>(reinterpret_cast<IntVec<Real>>(value) & kWithoutSign);
    if constexpr (kChecks) {
      const IntVec<Real> finite = size <= largest_finite(Real());  // false for NaN
      non_finite += finite + 1;                                    // a true lane is -1
      max_abs = (finite & (size > max_abs)) ? size : max_abs;
      value = finite ? value : Vec<Real>{};
    } else {
      max_abs = size > max_abs ? size : max_abs;
    }
    add_part<0>(value);
    if constexpr (kParts == 2) add_part<1>(value);
  }

  template <int kPart>
  FARSTATE_INLINE void add_part(Vec<Real> value) {
    const Vec<double> wide = widen<kPart>(value);
    sum[kPart] += wide;
    squares[kPart] += wide * wide;
  }
};

// Every other vector goes to moments of its own: one sum waits for the other.
template <class Real, bool kChecks>
FARSTATE_INLINE void take_moments(const StateRows<Real> h, double* to) {
  Moments<Real, kChecks> moments[2];
  for (int64_t row = 0; row < h.rows; ++row) {
    const Real* const values = h.first + row * h.stride;
    constexpr int64_t lanes = kLanes<Real>;
    int64_t i = 0;
    for (; i + 2 * lanes <= h.width; i += 2 * lanes) {
      moments[0].add(load(values + i));
      moments[1].add(load(values + i + lanes));
    }
    for (; i < h.width; i += lanes) {
      moments[0].add(load_first(values + i, smaller(lanes, h.width - i)));
    }
  }
  double sum = 0, squares = 0, max_abs = 0, non_finite = 0;
  for (const Moments<Real, kChecks>& m : moments) {
    for (int part = 0; part < Moments<Real, kChecks>::kParts; ++part) {
      sum += sum_lanes<double>(m.sum[part]);
      squares += sum_lanes<double>(m.squares[part]);
    }
    for (int lane = 0; lane < kLanes<Real>; ++lane) {
      max_abs = m.max_abs[lane] > max_abs ? m.max_abs[lane] : max_abs;
      non_finite += m.non_finite[lane];
    }
  }
  to[0] = sum;
  to[1] = squares;
  to[2] = max_abs;
  to[3] = non_finite;
}

// to [4]. A finite sum of squares shows that everything is finite.
template <class Real>
void state_moments(const StateRows<Real>& h, double* to) {
  take_moments<Real, false>(h, to);
  if (!(to[1] <= __DBL_MAX__)) take_moments<Real, true>(h, to);
}

}  // namespace farstate::kernels::FARSTATE_ISA
