// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors as wide as the instruction set (the compilers' vector extension: the usual operators
// work lane by lane), and what the kernels need around them. Only for <op>_cpu.cpp files; see
// kernels/simd/isa.h for why everything lives in the instruction set's own namespace.
#pragma once

#include <cstdint>
#include <utility>

#define FARSTATE_INLINE inline __attribute__((always_inline))
// For a function around an innermost loop: inlined into a large one it would have to share the
// address registers with all that is live there, and load strides from the stack in every round.
#define FARSTATE_APART __attribute__((noinline))

namespace farstate::kernels::FARSTATE_ISA {

#if defined(__AVX512F__)
inline constexpr int kVectorBytes = 64;
inline constexpr int kRegisters = 32;
#elif defined(__AVX__)
inline constexpr int kVectorBytes = 32;
inline constexpr int kRegisters = 16;
#elif defined(__aarch64__)
inline constexpr int kVectorBytes = 16;
inline constexpr int kRegisters = 32;
#else
inline constexpr int kVectorBytes = 16;
inline constexpr int kRegisters = 16;
#endif

template <class Real>
struct VectorTypes;
template <>
struct VectorTypes<float> {
  typedef int32_t Int;
  typedef float Reals __attribute__((vector_size(kVectorBytes)));
  typedef int32_t Ints __attribute__((vector_size(kVectorBytes)));
};
template <>
struct VectorTypes<double> {
  typedef int64_t Int;
  typedef double Reals __attribute__((vector_size(kVectorBytes)));
  typedef int64_t Ints __attribute__((vector_size(kVectorBytes)));
};

template <class Real>
using Vec = typename VectorTypes<Real>::Reals;
template <class Real>
using IntVec = typename VectorTypes<Real>::Ints;
template <class Real>
using LaneInt = typename VectorTypes<Real>::Int;
template <class Real>
inline constexpr int kLanes = kVectorBytes / static_cast<int>(sizeof(Real));

template <class Real>
FARSTATE_INLINE Vec<Real> broadcast(Real value) {
  return value - Vec<Real>{};  // folds away, unlike 0 + value, which makes -0 a 0
}

template <class Real>
FARSTATE_INLINE Vec<Real> load(const Real* from) {
  Vec<Real> v;
  __builtin_memcpy(&v, from, sizeof(v));
  return v;
}

template <class Real>
FARSTATE_INLINE void store(Real* to, Vec<Real> v) {
  __builtin_memcpy(to, &v, sizeof(v));
}

// The first `count` lanes; the others are zero, respectively left alone.
template <class Real>
FARSTATE_INLINE Vec<Real> load_first(const Real* from, int64_t count) {
  if (count == kLanes<Real>) return load(from);
  Vec<Real> v{};
  for (int64_t i = 0; i < count; ++i) v[i] = from[i];
  return v;
}

template <class Real>
FARSTATE_INLINE void store_first(Real* to, Vec<Real> v, int64_t count) {
  if (count == kLanes<Real>) return store<Real>(to, v);
  for (int64_t i = 0; i < count; ++i) to[i] = v[i];
}

// Calls body(i, lanes) for each vector of an array of `count` elements: `lanes` elements from i
// on, all of a vector's but in the last call. The two calls are written apart so that the first
// is compiled for whole vectors.
template <class Real, class Body>
FARSTATE_INLINE void for_each_vector(int64_t count, const Body& body) {
  constexpr int64_t lanes = kLanes<Real>;
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) body(i, lanes);
  if (i < count) body(i, count - i);
}

// One step of transposing a square of lanes, on the rows a and b that are S apart: where a lane's
// index has bit S, the first result takes b's lane S below, the second keeps b's; elsewhere the
// first keeps a's, the second takes a's lane S above.
template <class Real, int S, int... K>
FARSTATE_INLINE Vec<Real> exchange_low(Vec<Real> a, Vec<Real> b, std::integer_sequence<int, K...>) {
  return __builtin_shufflevector(a, b, ((K & S) != 0 ? kLanes<Real> + K - S : K)...);
}
template <class Real, int S, int... K>
FARSTATE_INLINE Vec<Real> exchange_high(Vec<Real> a, Vec<Real> b,
                                        std::integer_sequence<int, K...>) {
  return __builtin_shufflevector(a, b, ((K & S) != 0 ? kLanes<Real> + K : K + S)...);
}

// rows[i][k] <-> rows[k][i].
template <class Real, int S = 1>
FARSTATE_INLINE void transpose(Vec<Real> (&rows)[kLanes<Real>]) {
  if constexpr (S < kLanes<Real>) {
    constexpr std::make_integer_sequence<int, kLanes<Real>> k;
#pragma GCC unroll 16
    for (int pair = 0; pair < kLanes<Real> / 2; ++pair) {
      const int i = pair / S * 2 * S + pair % S;  // pairs (i, i + S), bit S of i not set
      const Vec<Real> a = rows[i], b = rows[i + S];
      rows[i] = exchange_low<Real, S>(a, b, k);
      rows[i + S] = exchange_high<Real, S>(a, b, k);
    }
    transpose<Real, 2 * S>(rows);
  }
}

// Lane k is the sum of the lanes of row k, added pairwise; rows is used up.
template <class Real, int S = 1>
FARSTATE_INLINE Vec<Real> sum_each(Vec<Real> (&rows)[kLanes<Real>]) {
  if constexpr (S < kLanes<Real>) {
    constexpr std::make_integer_sequence<int, kLanes<Real>> k;
#pragma GCC unroll 16
    for (int i = 0; i < kLanes<Real>; i += 2 * S) {
      const Vec<Real> a = rows[i], b = rows[i + S];
      rows[i] = exchange_low<Real, S>(a, b, k) + exchange_high<Real, S>(a, b, k);
    }
    return sum_each<Real, 2 * S>(rows);
  } else {
    return rows[0];
  }
}

// The sum of all lanes, added in an order that depends on their number alone.
template <class Real>
FARSTATE_INLINE Real sum_lanes(Vec<Real> v) {
  Real sum = 0;
  for (int i = 0; i < kLanes<Real>; ++i) sum += v[i];
  return sum;
}

template <class Number>
FARSTATE_INLINE Number smaller(Number a, Number b) {
  return b < a ? b : a;
}

FARSTATE_INLINE constexpr int64_t round_up(int64_t count, int64_t multiple) {
  return (count + multiple - 1) / multiple * multiple;
}

template <class Real>
FARSTATE_INLINE void set_zero(Real* to, int64_t count) {
  for (int64_t i = 0; i < count; ++i) to[i] = 0;
}

// The length of a row of at least `width` elements that is an odd number of cache lines: rows a
// power of two apart share a few sets of the cache and push each other out, these do not.
template <class Real>
FARSTATE_INLINE int64_t odd_lines(int64_t width) {
  constexpr int64_t line = 64 / static_cast<int64_t>(sizeof(Real));
  return ((width + line - 1) / line | 1) * line;
}

// Carves a kernel's arrays out of one allocation, each at a cache line. Carving from nullptr
// only counts, so one constructor both lays the arrays out and tells their size.
template <class Real>
struct Carver {
  Real* base;
  int64_t used = 0;

  Real* take(int64_t count) {
    Real* const array = base == nullptr ? nullptr : base + used;
    used += round_up(count, 64 / static_cast<int64_t>(sizeof(Real)));
    return array;
  }
};

}  // namespace farstate::kernels::FARSTATE_ISA
