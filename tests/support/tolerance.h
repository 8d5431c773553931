// SPDX-License-Identifier: GPL-3.0-or-later
// How far a result may be from its oracle, from the precision and the length of the computation,
// and the comparison that says how far it was and where.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace farstate::testing {

struct Tolerance {
  double rms_ratio;  // of the error's root mean square to the oracle's
  double max_ratio;  // of the largest error to the oracle's largest absolute value
  double floor;      // errors below it are none: the type's smallest number of full precision
};

// Every rounding is off by at most half an epsilon of its term, with either sign, so errors of a
// sum of `roundings` terms add up like a random walk: epsilon / 2 * sqrt(roundings) of the terms'
// size. The factor 8 covers terms that cancel (a sum smaller than its terms by a few times), the
// few ulp of exp and softplus, and errors shared by many elements of a result. Of n normally
// distributed errors the largest is about sqrt(2 ln n) times their RMS: below 6 for 10^7.
template <class Real>
Tolerance rounding_tolerance(int64_t roundings) {
  const double walk = std::numeric_limits<Real>::epsilon() / 2 * std::sqrt(double(roundings));
  return {8 * walk, 6 * 8 * walk, std::numeric_limits<Real>::min()};
}

// Compares `count` numbers; what is not finite must be the same in both.
template <class Got, class Want>
::testing::AssertionResult close_to(const Got* got, const Want* want, int64_t count,
                                    Tolerance tolerance) {
  double error_squares = 0, want_squares = 0, largest_error = 0, largest_want = 0;
  int64_t worst = 0;
  for (int64_t i = 0; i < count; ++i) {
    const auto g = static_cast<double>(got[i]), w = static_cast<double>(want[i]);
    if (!std::isfinite(g) || !std::isfinite(w)) {
      if (g == w || (std::isnan(g) && std::isnan(w))) continue;
      return ::testing::AssertionFailure() << "element " << i << ": got " << g << ", wanted " << w;
    }
    const double error = std::abs(g - w);
    if (error > largest_error) worst = i;
    largest_error = std::max(largest_error, error);
    largest_want = std::max(largest_want, std::abs(w));
    error_squares += error * error;
    want_squares += w * w;
  }
  if (largest_error <= tolerance.floor ||
      (largest_error <= tolerance.max_ratio * largest_want &&
       error_squares <= tolerance.rms_ratio * tolerance.rms_ratio * want_squares)) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure()
         << "largest error " << largest_error << " at element " << worst << " of " << count
         << " (got " << static_cast<double>(got[worst]) << ", wanted "
         << static_cast<double>(want[worst]) << "), allowed " << tolerance.max_ratio * largest_want
         << "; RMS ratio " << std::sqrt(error_squares / want_squares) << ", allowed "
         << tolerance.rms_ratio;
}

}  // namespace farstate::testing
