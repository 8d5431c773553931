// SPDX-License-Identifier: GPL-3.0-or-later
// The size of the state by position, for every layer and head: Frobenius norm, mean, standard
// deviation and root mean square over the elements, largest magnitude of h, each per sequence, then
// averaged; and the drift, the mean norm over the mean norm at the training context.
// "model_state_std" is the paper's curve: the standard deviation over all elements of all layers and
// heads.
#pragma once

#include "core/probes/probe.h"

namespace farstate {

class StateStatistics : public Probe {
 public:
  // trained_context T: where the drift is 1; 0 or beyond the length: there is no drift.
  StateStatistics(const RecurrentLM& model, int64_t sequences, int64_t length,
                  int64_t bins_per_octave, int64_t trained_context = 0);

  std::vector<int64_t> stat_positions() const override { return indices_; }
  void observe(int64_t first_sequence, const UnrollSegment& segment) override;
  // "state_norm", "state_mean", "state_std", "state_rms", "state_max" and, where there is one,
  // "state_drift" per layer and head, and "model_state_std".
  std::vector<Series> series(const Reach& reach) const override;

 private:
  struct Sums {
    double sum = 0;
    double squares = 0;
    double max = 0;
  };
  Sums& at(size_t k, int64_t layer, int64_t head, int64_t sequence);
  const Sums& at(size_t k, int64_t layer, int64_t head, int64_t sequence) const;

  int64_t layers_;
  int64_t heads_;
  int64_t elements_;  // P*N
  int64_t sequences_;
  std::vector<int64_t> indices_;  // K, ascending
  std::vector<Sums> sums_;        // [K,L,H,S]
  size_t reference_ = 0;          // of K: the training context; K: there is none
};

}  // namespace farstate
