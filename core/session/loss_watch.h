// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a run's loss still falls, or has risen for good: the mean of its last steps against the
// smallest such mean so far. A single bad batch moves that mean by a twentieth.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace farstate {

class LossWatch {
 public:
  static constexpr size_t kSteps = 20;

  void add(double loss) {
    sum_ += loss;
    last_.push_back(loss);
    if (last_.size() > kSteps) {
      sum_ -= last_.front();
      last_.erase(last_.begin());
    }
    if (last_.size() == kSteps) best_ = std::min(best_, mean());
  }

  // Another law asks another question: its losses are compared among themselves.
  void begin_anew() { *this = {}; }

  // Nats by which the mean loss lies above its best; 0 before there are enough steps.
  double rise() const { return last_.size() == kSteps ? mean() - best_ : 0; }
  // The same of the last step alone.
  double last_rise() const { return last_.size() == kSteps ? last_.back() - best_ : 0; }

 private:
  double mean() const { return sum_ / static_cast<double>(last_.size()); }

  std::vector<double> last_;
  double sum_ = 0;
  double best_ = std::numeric_limits<double>::infinity();
};

}  // namespace farstate
