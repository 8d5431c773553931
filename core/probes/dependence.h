// SPDX-License-Identifier: GPL-3.0-or-later
// Do the elements of a head's state depend on each other? Correlation alone does not tell: the
// state of a linear recurrence is a sum of outer products x B^T, and with isotropic x and B its
// elements are uncorrelated although a single state has few directions. So three things are
// measured, each beside what independent elements would show in a sample of this size:
//   correlation  the spectrum of the sample correlation of the elements
//   rank         the effective rank of a single state as a P x N matrix
//   size         how much the states differ in overall size
// "Independent" is made by shuffling: every element keeps its values, dealt anew to the states.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace farstate {

// exp of the entropy of the singular values divided by their sum (Roy and Vetterli 2007, "The
// effective rank: a measure of effective dimensionality", EUSIPCO, pp. 606-610): 1 for an outer
// product, min(P,N) for equal singular values. A zero matrix has 0.
struct EffectiveRank {
  double value = 0;
  std::vector<double> singular_values;  // descending
};

EffectiveRank effective_rank(const at::Tensor& h);  // h [P,N]

// A number, and the same number of shuffled states.
struct Calibrated {
  double value = 0;
  double shuffled_mean = 0;
  double shuffled_std = 0;  // over shuffles

  double excess() const { return value - shuffled_mean; }
};

// The root of the mean squared correlation over pairs of elements, less what chance adds to the
// square: 1/(R-1) exactly, for elements that are independent. 0 where chance explains all of it.
struct PairCorrelation {
  double rms = 0;
  double squared = 0;         // rms^2 before it is cut off at 0
  double squared_error = 0;   // its standard error, were the elements independent
};

struct DependenceOptions {
  int64_t shuffles = 8;
  int64_t components = 8;    // leading ones whose share is taken; at most a quarter of R-1
  int64_t rank_states = 8;   // states whose rank is averaged
  uint64_t seed = 0;
};

struct Dependence {
  int64_t states = 0;         // R
  int64_t elements = 0;       // P*N
  int64_t constant = 0;       // of these, the same in all states; left out of the correlation
  int64_t components = 0;     // whose share is taken
  std::vector<double> spectrum;           // R-1 shares of the variance, descending, sum 1
  std::vector<double> shuffled_spectrum;  // mean over shuffles
  double marchenko_pastur_edge = 0;       // the largest share of independent elements, many of both
  Calibrated leading_share;   // of the first `components`
  // How many independent elements would have as small a mean squared correlation, at most P*N:
  // (sum of the correlation's eigenvalues)^2 / sum of their squares, without what chance adds.
  double effective_dimension = 0;
  PairCorrelation same_row, same_column, elsewhere, all;  // row: same index in P
  Calibrated rank;            // effective rank of a state, mean
  Calibrated size_variance;   // variance over states of their mean squared standardised element
};

// [P*N,R]: an element's values over the states, less their mean and in their standard deviation
// (of the population); zeros where they are all equal. states [R,P,N] float.
at::Tensor standardised_elements(const at::Tensor& states);

// states [R,P,N] float on the CPU, finite, R at least 8, and from independent sequences: states
// of one sequence resemble each other, which nothing here could tell from dependent elements.
// Costs about (shuffles + 4) 2 P N R^2 operations for the correlation, and for every shuffle P N R
// random numbers and the eigenvalues of `rank_states` matrices of size min(P,N).
Dependence measure_dependence(const at::Tensor& states, const DependenceOptions& options = {});

}  // namespace farstate
