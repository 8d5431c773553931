// SPDX-License-Identifier: GPL-3.0-or-later
// Ends a sweep where a state is not finite: from there on the model computes nothing that could be
// measured, however long the text goes on.
#pragma once

#include "core/probes/probe.h"

namespace farstate {

class StateGuard : public Probe {
 public:
  // Looks at the ends of the logarithmic bins, and wherever other probes ask for statistics.
  StateGuard(int64_t length, int64_t bins_per_octave);

  std::vector<int64_t> stat_positions() const override { return indices_; }
  // To be asked last, so that the others keep what the segment holds before the break. Throws
  // Error(kDiverged) with the layer, head and position of the earliest state that is not finite.
  void observe(int64_t first_sequence, const UnrollSegment& segment) override;
  std::vector<Series> series(const Reach&) const override { return {}; }

  // The last position whose states were finite in all rows of the present group.
  int64_t whole() const { return whole_; }

 private:
  std::vector<int64_t> indices_;
  int64_t whole_ = 0;
};

}  // namespace farstate
