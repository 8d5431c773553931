// SPDX-License-Identifier: GPL-3.0-or-later
// The training loss of one epoch in bounded memory: when it grows too long, neighbours merge into
// their smallest and largest value, so that a spike or a NaN survives any number of steps.
#pragma once

#include <cstdint>
#include <vector>

#include "core/session/runner.h"

namespace farstate::desktop {

class LossHistory {
 public:
  static constexpr size_t kLimit = 16384;

  struct Segment {  // between two changes of the initial state
    Intervention kind = Intervention::kZero;
    std::vector<double> steps, losses;
  };

  void clear();
  void begin_segment(Intervention kind);  // the next points belong to it
  void add(const std::vector<TrainPoint>& points);

  const std::vector<Segment>& segments() const { return segments_; }
  bool empty() const;

 private:
  std::vector<Segment> segments_;
};

}  // namespace farstate::desktop
