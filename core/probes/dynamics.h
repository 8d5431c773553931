// SPDX-License-Identifier: GPL-3.0-or-later
// What drives the state, for every layer and head by position: how large a step a token takes, how
// much of the state it leaves, and how long the head remembers (docs/METHODS.md). The state's size
// says that a head breaks down; this says whether it forgets too little.
#pragma once

#include "core/probes/position_bins.h"
#include "core/probes/probe.h"

namespace farstate {

class Dynamics : public Probe {
 public:
  // Needs an unroll with UnrollOptions::dynamics.
  Dynamics(const RecurrentLM& model, int64_t sequences, int64_t length, int64_t bins_per_octave);

  void observe(int64_t first_sequence, const UnrollSegment& segment) override;
  // Per layer and head, over logarithmic bins of positions:
  //   "dt_mean"      the mean step; absent where the model has none
  //   "decay_mean"   the mean factor exp(log_decay) that a token leaves of the state
  //   "half_life"    tokens after which half of the state is left, ln 2 / mean(-log_decay)
  //   "write_share"  the mean share 1 - exp(log_decay) of the state that a token replaces
  std::vector<Series> series(const Reach& reach) const override;

 private:
  struct Sums {
    double dt = 0;
    double rate = 0;   // -log_decay
    double write = 0;  // 1 - exp(log_decay)
  };
  void add(int64_t layer, int64_t first_sequence, int64_t begin, const LayerDynamics& dynamics);
  size_t offset(size_t bin, int64_t layer, int64_t sequence) const;  // of its heads in sums_
  // Over the first sequences.
  MeanInterval mean(size_t bin, int64_t layer, int64_t head, double Sums::*sum, int64_t sequences) const;

  int64_t layers_;
  int64_t heads_;
  int64_t sequences_;
  PositionBins bins_;
  std::vector<Sums> sums_;  // [bin,L,S,H]
  bool has_dt_ = true;
};

}  // namespace farstate
