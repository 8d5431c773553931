// SPDX-License-Identifier: GPL-3.0-or-later
// A question to a model. Probes that watch a forward pass share one unroll.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/models/unroll.h"
#include "core/results/series.h"

namespace farstate {

// A position counts the tokens read, so it starts at 1 and has its place on a log axis: the loss
// at position p is that of token p (from 0) given tokens 0 to p-1, the state at p is the state
// after p tokens. In UnrollSegment and ForwardOptions indices count from 0.
//
// How far a measurement has come: its first `sequences` rows were read up to `position`.
struct Reach {
  int64_t sequences = 0;
  int64_t position = 0;
};

class Probe {
 public:
  virtual ~Probe() = default;
  // Indices after which the probe needs the state's statistics.
  virtual std::vector<int64_t> stat_positions() const { return {}; }
  // Indices after which it needs the whole state (UnrollSegment::shows_state).
  virtual std::vector<int64_t> state_positions() const { return {}; }
  // Rows [first_sequence, first_sequence + B) of the measurement; segments in ascending order.
  virtual void observe(int64_t first_sequence, const UnrollSegment& segment) = 0;
  // Of the rows and positions within the reach alone, at least one sequence.
  virtual std::vector<Series> series(const Reach& reach) const = 0;
};

}  // namespace farstate
