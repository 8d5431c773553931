// SPDX-License-Identifier: GPL-3.0-or-later
// Which law do the states of a head follow, and so which noise could stand in for them? The laws
// are ordered by what they need; the verdict is the first that is enough, with the numbers it
// rests on. A finding counts when it is beyond sampling error and large enough to matter, both:
// with thousands of elements the smallest deviation is significant. docs/METHODS.md, "The law of
// the states", explains each number and threshold.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>
#include <string>

#include "core/probes/dependence.h"
#include "core/probes/distribution.h"

namespace farstate {

enum class StateLaw {
  kOneVariance,        // random noise: N(0, s^2), one s for all heads
  kVariancePerHead,    // fitted noise: an IID Gaussian per head
  kGaussianPerElement, // independent Gaussians, with a mean and a variance for every element
  kNotGaussian,        // independent elements, but with other tails or another shape
  kDependent           // the elements depend on each other
};

// The least that matters.
struct StateLawThresholds {
  double standard_errors = 4;
  double head_mean = 0.1;        // of a head, in standard deviations of all heads
  double head_std = 0.1;         // of a head, relative to that of all heads
  double element_spread = 0.2;   // of the elements' means in std of the head; of their log std
  double kurtosis = 0.5;
  double ks = 0.03;
  double leading_share = 0.05;   // of the variance, above independent elements
  double correlation = 0.1;      // RMS, in a row or a column
  double rank = 0.1;             // how much lower than that of independent elements, relative
  double size = 0.1;             // relative standard deviation of the states' RMS
};

// "one-variance", "variance-per-head", "gaussian-per-element", "not-gaussian", "dependent"
const char* to_string(StateLaw law);

struct HeadNumbers {
  int64_t states = 0;
  Moments pooled;            // all elements of all states: what fitted noise is fitted to
  double mean_error = 0;     // standard errors over states, however the elements hang together
  double std_error = 0;
  double ks_pooled = 0;      // distance of all elements to the fitted Gaussian; thinned to 65536

  // Between elements, sampling error taken off: the standard deviation of their means, in standard
  // deviations of the head, and that of the logarithms of their standard deviations.
  double mean_spread = 0;
  double mean_spread_errors = 0;  // in standard errors of its square
  double std_spread = 0;
  double std_spread_errors = 0;

  // Of every element about its own mean and in its own standard deviation, so that elements which
  // merely differ do not count as heavy tails.
  double kurtosis = 0;       // mean over elements; 0 for Gaussians in samples of any size
  double kurtosis_error = 0;
  double ks = 0;             // to standardised Gaussian samples of as many states
  double ks_error = 0;       // what chance reaches once in a thousand

  Dependence dependence;
  double size_spread = 0;    // relative standard deviation of the states' RMS, beyond chance
};

struct HeadLaw {
  StateLaw law = StateLaw::kVariancePerHead;  // never kOneVariance: that takes several heads
  // What an IID Gaussian per head would miss; any of them can hold together.
  bool elements_differ = false;
  bool not_gaussian = false;
  bool correlated = false;   // the three forms of dependence
  bool low_rank = false;
  bool sizes_differ = false;
  bool dependent() const { return correlated || low_rank || sizes_differ; }
  std::string sentence;
  HeadNumbers numbers;
};

// states [R,P,N]: of one head at one position, after R independent sequences; float, CPU, finite.
HeadLaw head_law(const at::Tensor& states, const StateLawThresholds& thresholds = {},
                 const DependenceOptions& options = {});

struct ModelLaw {
  StateLaw law = StateLaw::kOneVariance;
  int64_t heads = 0;
  int64_t of_other_variance = 0;  // heads whose mean or std is not that of all heads
  int64_t elements_differ = 0;    // heads
  int64_t not_gaussian = 0;
  int64_t dependent = 0;
  double std = 0;                 // of all heads together
  double smallest_std = 0;        // of a head
  double largest_std = 0;
  std::string sentence;
};

// A model needs a law when at least a tenth of its heads do.
ModelLaw model_law(std::span<const HeadLaw> heads, const StateLawThresholds& thresholds = {});

}  // namespace farstate
