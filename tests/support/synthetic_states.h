// SPDX-License-Identifier: GPL-3.0-or-later
// States [R,P,N] whose law is known.
#pragma once

#include <ATen/ATen.h>

#include <cmath>

#include "core/base/rng.h"

namespace farstate::testing {

inline at::Tensor gaussian(int64_t R, int64_t P, int64_t N, uint64_t seed, double mean = 0,
                           double std = 1) {
  const at::Tensor states = at::empty({R, P, N});
  Rng(seed, RngStream::kInitialState)
      .fill_normal({states.data_ptr<float>(), static_cast<size_t>(states.numel())}, float(mean),
                   float(std));
  return states;
}

// Student's t with 3 degrees of freedom: no fourth moment.
inline at::Tensor student_t3(int64_t R, int64_t P, int64_t N, uint64_t seed) {
  at::Tensor chi = at::zeros({R, P, N});
  for (uint64_t k = 1; k <= 3; ++k) chi += gaussian(R, P, N, 1000 * k + seed).square();
  return gaussian(R, P, N, seed) / (chi / 3).sqrt();
}

// Uniform, as an example of light tails.
inline at::Tensor uniform(int64_t R, int64_t P, int64_t N, uint64_t seed) {
  const at::Tensor states = at::empty({R, P, N});
  Rng(seed, RngStream::kInitialState)
      .fill_uniform({states.data_ptr<float>(), static_cast<size_t>(states.numel())}, -1, 1);
  return states;
}

// Every element has a mean and a standard deviation of its own: spread normally, and log-normally.
inline at::Tensor differing_elements(int64_t R, int64_t P, int64_t N, double mean_spread,
                                     double log_std_spread, uint64_t seed) {
  return gaussian(R, P, N, seed) * (log_std_spread * gaussian(1, P, N, 7000 + seed)).exp() +
         mean_spread * gaussian(1, P, N, 8000 + seed);
}

// A share `c` of every element's variance comes from `rank` factors that all elements share, with
// random loadings of length 1; the rest is the element's own.
inline at::Tensor low_rank(int64_t R, int64_t P, int64_t N, int64_t rank, double c,
                           uint64_t seed) {
  at::Tensor loadings = gaussian(1, rank, P * N, 3000 + seed)[0];
  loadings = loadings / loadings.norm(2, 0, true);
  const at::Tensor factors = gaussian(1, R, rank, 4000 + seed)[0];
  return std::sqrt(c) * factors.mm(loadings).view({R, P, N}) +
         std::sqrt(1 - c) * gaussian(R, P, N, seed);
}

// A factor for every row of the state (index in P), with a share c of the variance.
inline at::Tensor row_factors(int64_t R, int64_t P, int64_t N, double c, uint64_t seed) {
  return std::sqrt(c) * gaussian(R, P, 1, 5000 + seed) +
         std::sqrt(1 - c) * gaussian(R, P, N, seed);
}

// A size for every state, log-normal, on independent elements.
inline at::Tensor differing_sizes(int64_t R, int64_t P, int64_t N, double log_spread,
                                  uint64_t seed) {
  return gaussian(R, P, N, seed) * (log_spread * gaussian(R, 1, 1, 6000 + seed)).exp();
}

// What a linear recurrence of decay `decay` makes: h = sum_t decay^(T-1-t) x_t B_t^T with Gaussian
// x and B, until what is left of the first term is below 1e-3; of variance 1.
inline at::Tensor outer_products(int64_t R, int64_t P, int64_t N, double decay, uint64_t seed) {
  const auto T = static_cast<int64_t>(std::ceil(std::log(1e-3) / std::log(decay)));
  const at::Tensor x = gaussian(R, P, T, 1000 + seed);
  const at::Tensor B = gaussian(R, T, N, 2000 + seed);
  const at::Tensor weights = at::pow(decay, at::arange(T, at::kFloat));
  return (x * weights).bmm(B) / weights.norm();
}

}  // namespace farstate::testing
