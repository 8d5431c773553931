// SPDX-License-Identifier: GPL-3.0-or-later
// An exponential mean over steps that begins without a debt to zero: it is a weighted mean of what
// was given so far, so that a constant stays that constant from the first value on.
#pragma once

#include <cmath>

namespace farstate::desktop {

class DebiasedMean {
 public:
  // share: of the mean that is left after one step, 0 to below 1; 0: the value itself.
  explicit DebiasedMean(double share) : share_(share) {}

  // The mean at a step. Steps rise, and may be left out. What is not finite is handed on and
  // forgotten, so that a gap stays one.
  double add(double step, double value) {
    if (!std::isfinite(value)) return value;
    const double left = weight_ > 0 ? std::pow(share_, step - step_) : 0;
    sum_ = left * sum_ + value;
    weight_ = left * weight_ + 1;
    step_ = step;
    return sum_ / weight_;
  }

 private:
  double share_;
  double sum_ = 0, weight_ = 0, step_ = 0;
};

}  // namespace farstate::desktop
