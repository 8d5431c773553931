// SPDX-License-Identifier: GPL-3.0-or-later
// exp, sigmoid and softplus on vectors. Every lane is computed alike, so a value does not depend
// on its neighbours or on its place. NaN stays NaN. The errors are the largest against long double
// at 4 million places, with and without fused multiply-add, in units of the last place (ulp);
// tests/kernels/ssd_scan_test.cpp holds exp and softplus to them.
#pragma once

#include "kernels/simd/lanes.h"

namespace farstate::kernels::FARSTATE_ISA {

template <class Real>
struct MathConstants;

template <>
struct MathConstants<float> {
  static constexpr int kMantissaBits = 23;
  static constexpr int32_t kExponentBias = 127;
  static constexpr float kRounder = 0x1.8p23f;  // adding it rounds to an integer
  // ln 2 in two parts, the first with so few bits that its product with any exponent is exact.
  static constexpr float kLn2High = 0x1.63p-1f;
  static constexpr float kLn2Low = -0x1.bd0106p-13f;
  // Beyond these exp is 0 and infinite.
  static constexpr float kExpLow = -105.0f;
  static constexpr float kExpHigh = 89.0f;
  // |r| <= ln(2)/2: the first omitted term of exp is below 0.35^8 / 8! = 6e-9.
  static constexpr int kExpTerms = 8;
  // s <= 1/3: the first omitted term of atanh(s)/s is below 9^-8 / 17 = 1.4e-9.
  static constexpr int kAtanhTerms = 8;
};

template <>
struct MathConstants<double> {
  static constexpr int kMantissaBits = 52;
  static constexpr int64_t kExponentBias = 1023;
  static constexpr double kRounder = 0x1.8p52;
  static constexpr double kLn2High = 0x1.62e42feep-1;
  static constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
  static constexpr double kExpLow = -746.0;
  static constexpr double kExpHigh = 710.0;
  static constexpr int kExpTerms = 14;    // 0.35^14 / 14! = 5e-18
  static constexpr int kAtanhTerms = 17;  // 9^-17 / 35 = 1.7e-18
};

constexpr double inverse_factorial(int n) {
  double product = 1;
  for (int i = 2; i <= n; ++i) product *= i;
  return 1 / product;
}

// 2^k by writing the exponent's bits.
template <class Real>
FARSTATE_INLINE Vec<Real> power_of_two(IntVec<Real> k) {
  using M = MathConstants<Real>;
  return reinterpret_cast<Vec<Real>>((k + M::kExponentBias) << M::kMantissaBits);
}

// exp(x) = 2^k exp(r), k = round(x / ln 2), |r| <= ln(2)/2, exp(r) by its Taylor sum. The power is
// applied in two halves, so that results below the smallest normal number fade out gradually.
// Error below 1.2 ulp.
template <class Real>
FARSTATE_INLINE Vec<Real> exp(Vec<Real> x) {
  using M = MathConstants<Real>;
  constexpr Real kLog2E = 1.4426950408889634;
  // Spelled as the instructions for the larger and the smaller of two have it where one is NaN.
  const Vec<Real> low = broadcast(M::kExpLow), high = broadcast(M::kExpHigh);
  x = low > x ? low : x;
  x = high < x ? high : x;
  const Vec<Real> shifted = x * kLog2E + M::kRounder;
  const IntVec<Real> k = reinterpret_cast<IntVec<Real>>(shifted) -
                         reinterpret_cast<IntVec<Real>>(broadcast(M::kRounder));
  const Vec<Real> k_real = shifted - M::kRounder;
  const Vec<Real> r = (x - k_real * M::kLn2High) - k_real * M::kLn2Low;

  Vec<Real> sum = broadcast(Real(inverse_factorial(M::kExpTerms - 1)));
#pragma GCC unroll 16
  for (int n = M::kExpTerms - 2; n >= 0; --n) sum = sum * r + Real(inverse_factorial(n));
  const IntVec<Real> half = k >> 1;
  return sum * power_of_two<Real>(half) * power_of_two<Real>(k - half);
}

// 1 / (1 + exp(-x)). Error below 2.4 ulp.
template <class Real>
FARSTATE_INLINE Vec<Real> sigmoid(Vec<Real> x) {
  return Real(1) / (Real(1) + exp<Real>(-x));
}

// log(1 + exp(x)), and x itself above 20 as torch.nn.functional.softplus has it. With
// u = exp(-|x|): max(x, 0) + log(1 + u), log(1 + u) = 2 atanh(u / (2 + u)), which keeps the
// relative precision of small steps. Error below 3.4 ulp.
template <class Real>
FARSTATE_INLINE Vec<Real> softplus(Vec<Real> x) {
  using M = MathConstants<Real>;
  const Vec<Real> zero{};
  const Vec<Real> u = exp<Real>(x < zero ? x : -x);
  const Vec<Real> s = u / (u + Real(2));
  const Vec<Real> s2 = s * s;
  Vec<Real> sum = broadcast(Real(1) / (2 * M::kAtanhTerms - 1));
#pragma GCC unroll 32
  for (int k = M::kAtanhTerms - 2; k >= 0; --k) sum = sum * s2 + Real(1) / (2 * k + 1);
  const Vec<Real> log1p_u = Real(2) * s * sum;
  return x > Real(20) ? x : (x > zero ? x : zero) + log1p_u;
}

}  // namespace farstate::kernels::FARSTATE_ISA
