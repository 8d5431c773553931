// SPDX-License-Identifier: GPL-3.0-or-later
// One pass over a parameter, its gradient and its two moments: 16 bytes are read and 12 written per
// float, which is all that its time depends on. Clipping is a factor of the gradient here, not a
// pass of its own.
#include "kernels/adamw/adamw.h"
#include "kernels/simd/lanes.h"

namespace farstate::kernels::FARSTATE_ISA {
namespace {

FARSTATE_INLINE float square_root(float value) { return __builtin_sqrtf(value); }
FARSTATE_INLINE double square_root(double value) { return __builtin_sqrt(value); }

FARSTATE_INLINE double power(double base, int64_t n) {
  double product = 1;
  for (; n > 0; n /= 2, base *= base) {
    if (n % 2 == 1) product *= base;
  }
  return product;
}

}  // namespace

template <class Real>
void adamw(const AdamWTensor<Real>& tensor, const AdamWUpdate& update, int64_t begin, int64_t end) {
  const Real scale = static_cast<Real>(update.scale);
  const Real beta1 = static_cast<Real>(update.beta1), beta2 = static_cast<Real>(update.beta2);
  const Real new1 = static_cast<Real>(1 - update.beta1), new2 = static_cast<Real>(1 - update.beta2);
  const Real keep = static_cast<Real>(1 - update.rate * tensor.decay);
  const Real rate = static_cast<Real>(update.rate / (1 - power(update.beta1, update.n)));
  const double variance_bias = 1 - power(update.beta2, update.n);
  const Real per_deviation = static_cast<Real>(1 / __builtin_sqrt(variance_bias));
  const Real epsilon = static_cast<Real>(update.epsilon);
  Real* const __restrict p = tensor.parameter;
  Real* const __restrict m = tensor.m;
  Real* const __restrict v = tensor.v;
  const Real* const __restrict gradient = tensor.gradient;
#pragma omp simd
  for (int64_t i = begin; i < end; ++i) {
    const Real g = scale * gradient[i];
    m[i] = beta1 * m[i] + new1 * g;
    v[i] = beta2 * v[i] + new2 * g * g;
    p[i] = keep * p[i] - rate * m[i] / (square_root(v[i]) * per_deviation + epsilon);
  }
}

template <class Real>
double sum_of_squares(const Real* values, int64_t begin, int64_t end) {
  constexpr int64_t kSums = 16;  // one sum would wait for itself
  double sums[kSums] = {};
  int64_t i = begin;
  for (; i + kSums <= end; i += kSums) {
#pragma omp simd
    for (int64_t k = 0; k < kSums; ++k) {
      const double value = values[i + k];
      sums[k] += value * value;
    }
  }
  for (; i < end; ++i) sums[0] += static_cast<double>(values[i]) * values[i];
  double sum = 0;
  for (const double part : sums) sum += part;
  return sum;
}

template void adamw(const AdamWTensor<float>&, const AdamWUpdate&, int64_t, int64_t);
template void adamw(const AdamWTensor<double>&, const AdamWUpdate&, int64_t, int64_t);
template double sum_of_squares(const float*, int64_t, int64_t);
template double sum_of_squares(const double*, int64_t, int64_t);

}  // namespace farstate::kernels::FARSTATE_ISA
