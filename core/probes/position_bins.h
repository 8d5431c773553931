// SPDX-License-Identifier: GPL-3.0-or-later
// Logarithmic bins of positions, and what is said of values over sequences: the mean with its
// interval, quantiles.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/results/series.h"

namespace farstate {

struct PositionBins {
  std::vector<int64_t> begin;  // bin i holds positions [begin[i], end[i])
  std::vector<int64_t> end;

  // Positions 1 to `last`, about `per_octave` bins each time the position doubles. A bin holds an
  // even number of positions (the last one may not): many texts alternate between what can be
  // foreseen and what can't, and bins of one or of three positions would show that as a zigzag.
  static PositionBins logarithmic(int64_t last, int64_t per_octave);

  size_t size() const { return begin.size(); }
  size_t within(int64_t position) const;    // the bins whose positions are all at most this one
  double centre(size_t bin) const;          // the geometric mean of its first and last position
  size_t find(int64_t position) const;      // the bin that holds it
};

struct MeanInterval {
  double mean = 0;
  double lower = 0;  // NaN for a single value
  double upper = 0;
};

// The mean of independent values and Student's 95 % interval of it.
MeanInterval mean_interval(std::span<const double> values);

// Mean of x over mean of y, of pairs from independent sequences, and Student's 95 % interval of it
// to first order: that of the mean of (x - ratio y) / mean y (Cochran 1977, "Sampling Techniques",
// section 6.4). As many of both.
MeanInterval ratio_interval(std::span<const double> x, std::span<const double> y);

// The value below which a share of the values lies, between two of them by linear interpolation
// (Hyndman and Fan's type 7, as in NumPy and R). NaN if one of them is.
double quantile(std::vector<double> values, double share);

// Appends a value to a series; the bounds only if there are several sequences.
void append(Series& series, double x, const MeanInterval& y);

}  // namespace farstate
