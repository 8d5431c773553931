// SPDX-License-Identifier: GPL-3.0-or-later
// AdamW's update of one tensor (Loshchilov and Hutter 2019, arXiv:1711.05101, algorithm 2) and the
// sum of squares of its gradient. Real is float or double.
//   g = scale gradient,  m = beta1 m + (1 - beta1) g,  v = beta2 v + (1 - beta2) g^2
//   p = p - rate decay p - rate / (1 - beta1^n) m / (sqrt(v / (1 - beta2^n)) + epsilon)
#pragma once

#include <cstdint>

#include "kernels/simd/isa.h"

namespace farstate::kernels {

struct AdamWUpdate {
  double rate = 0, beta1 = 0, beta2 = 0, epsilon = 0;
  double scale = 1;  // of the gradient
  int64_t n = 1;     // the number of this update, counted from 1
};

template <class Real>
struct AdamWTensor {
  Real* parameter = nullptr;
  const Real* gradient = nullptr;
  Real *m = nullptr, *v = nullptr;  // the moments
  double decay = 0;
};

// Elements [begin, end). The same numbers wherever a tensor is cut.
template <class Real>
void adamw(const AdamWTensor<Real>& tensor, const AdamWUpdate& update, int64_t begin, int64_t end,
           Isa isa = best_isa());

// In double precision.
template <class Real>
double sum_of_squares(const Real* values, int64_t begin, int64_t end, Isa isa = best_isa());

}  // namespace farstate::kernels
