// SPDX-License-Identifier: GPL-3.0-or-later
// What the scan's forward and backward share: the steps of a block of positions, and rows packed
// into scratch memory. Only for <op>_cpu.cpp files.
#pragma once

#include "kernels/simd/lanes.h"
#include "kernels/simd/math.h"
#include "kernels/ssd_scan/ssd_scan.h"

namespace farstate::kernels::FARSTATE_ISA {

// dt_t and exp(dt_t A) of `count` positions from t0 on, and where `slope` is not null the
// derivative of dt_t by dt_raw_t: zero where dt is clamped. Arrays have room for whole vectors.
template <class Real>
void prepare_steps(const SsdScanInputs<Real>& in, int64_t b, int64_t h, int64_t t0, int64_t count,
                   Real* dt, Real* decay, Real* slope) {
  constexpr int64_t lanes = kLanes<Real>;
  const Real bias = in.dt_bias == nullptr ? Real(0) : in.dt_bias[h];
  const Real* raw = in.dt_raw + b * in.dt_stride_b + t0 * in.dt_stride_t + h;
  const int64_t whole = round_up(count, lanes);
  for (int64_t t = 0; t < whole; ++t) dt[t] = t < count ? raw[t * in.dt_stride_t] + bias : Real(0);
  const Vec<Real> dt_min = broadcast(static_cast<Real>(in.sizes.dt_min));
  const Vec<Real> dt_max = broadcast(static_cast<Real>(in.sizes.dt_max));
  for (int64_t t = 0; t < whole; t += lanes) {
    const Vec<Real> v = load(dt + t);
    const Vec<Real> free = softplus<Real>(v);
    Vec<Real> step = free < dt_min ? dt_min : free;
    step = step > dt_max ? dt_max : step;
    store<Real>(dt + t, step);
    store<Real>(decay + t, exp<Real>(step * in.A[h]));
    if (slope != nullptr) {
      const Vec<Real> smooth = v > Real(20) ? broadcast(Real(1)) : sigmoid<Real>(v);
      store<Real>(slope + t, free < dt_min || free > dt_max ? Vec<Real>{} : smooth);
    }
  }
}

// Rows of `width` at from + row * from_stride to rows of whole vectors, zero behind `width`, times
// factor and times factors[row] where given.
template <class Real>
FARSTATE_INLINE void pack_rows(const Real* from, int64_t from_stride, int64_t rows, int64_t width,
                               Real* to, int64_t to_stride, Real factor = 1,
                               const Real* factors = nullptr) {
  for (int64_t row = 0; row < rows; ++row) {
    const Vec<Real> scale = broadcast(factors == nullptr ? factor : factor * factors[row]);
    for_each_vector<Real>(width, [&](int64_t i, int64_t used) {
      store<Real>(to + row * to_stride + i, load_first(from + row * from_stride + i, used) * scale);
    });
  }
}

// The reverse: `width` elements of each row.
template <class Real>
FARSTATE_INLINE void unpack_rows(const Real* from, int64_t from_stride, int64_t rows, int64_t width,
                                 Real* to, int64_t to_stride) {
  for (int64_t row = 0; row < rows; ++row) {
    for_each_vector<Real>(width, [&](int64_t i, int64_t used) {
      store_first<Real>(to + row * to_stride + i, load(from + row * from_stride + i), used);
    });
  }
}

// A square of lanes, or what of it is inside: height x width -> width x height.
template <class Real>
FARSTATE_INLINE void transpose_square(const Real* from, int64_t height, int64_t width,
                                      int64_t from_stride, Real* to, int64_t to_stride) {
  constexpr int64_t lanes = kLanes<Real>;
  Vec<Real> rows[lanes];
  for (int64_t i = 0; i < lanes; ++i) {
    rows[i] = i < height ? load_first(from + i * from_stride, width) : Vec<Real>{};
  }
  transpose<Real>(rows);
  for (int64_t i = 0; i < lanes; ++i) {
    if (i < width) store_first<Real>(to + i * to_stride, rows[i], height);
  }
}

// [rows,columns], rows from_stride apart -> [columns,rows], rows to_stride apart.
template <class Real>
void transpose_matrix(const Real* from, int64_t rows, int64_t columns, int64_t from_stride,
                      Real* to, int64_t to_stride) {
  constexpr int64_t lanes = kLanes<Real>;
  for (int64_t r = 0; r < rows; r += lanes) {
    for (int64_t c = 0; c < columns; c += lanes) {
      const Real* const source = from + r * from_stride + c;
      Real* const target = to + c * to_stride + r;
      const int64_t height = smaller(lanes, rows - r), width = smaller(lanes, columns - c);
      if (height == lanes && width == lanes) {
        transpose_square(source, lanes, lanes, from_stride, target, to_stride);
      } else {
        transpose_square(source, height, width, from_stride, target, to_stride);
      }
    }
  }
}

}  // namespace farstate::kernels::FARSTATE_ISA
