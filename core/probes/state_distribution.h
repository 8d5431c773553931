// SPDX-License-Identifier: GPL-3.0-or-later
// How far the states of later positions are from those that training showed, per layer and head:
// the elements of h at a position against the elements at positions within the training context,
// by Kolmogorov-Smirnov and Wasserstein-1 distance, and the effective rank of h. And which noise
// could stand in for the states at the training context (state_law.h).
#pragma once

#include <string>

#include "core/probes/distribution.h"
#include "core/probes/probe.h"
#include "core/probes/state_law.h"

namespace farstate {

class StateDistribution : public Probe {
 public:
  // trained_context T: its states, and those at T/2, T/4 and T/8, are the reference. 0 or beyond
  // the length: there is none, only the rank is measured, and the law is that of the last position.
  StateDistribution(const RecurrentLM& model, int64_t sequences, int64_t length,
                    int64_t trained_context, uint64_t seed);

  // The powers of two from 16 on, T and its parts, and the end.
  std::vector<int64_t> state_positions() const override { return indices_; }
  // Keeps of every head and position a sample of its elements, all sequences together. A state that
  // is not finite has no distribution: the curves end before it.
  void observe(int64_t first_sequence, const UnrollSegment& segment) override;
  // "ks_distance", "wasserstein", "effective_rank" per layer and head.
  std::vector<Series> series() const override;
  // In words: what was thinned, and the law of the states. Takes a while for many heads; a stop
  // throws.
  std::vector<std::string> notes() const;

 private:
  struct Head {
    std::vector<float> elements;  // of all sequences so far
    double rank = 0;              // sum over rank_states_ sequences
  };
  Head& at(size_t k, int64_t layer, int64_t head);
  const Head& at(size_t k, int64_t layer, int64_t head) const;
  void keep_for_law(int64_t first_sequence, const UnrollSegment& segment);
  std::vector<float> reference(int64_t layer, int64_t head) const;

  int64_t layers_, heads_, head_dim_, state_dim_, sequences_;
  uint64_t seed_;
  std::vector<int64_t> indices_;     // K, ascending
  std::vector<size_t> reference_of_; // of K: within the training context; empty: no reference
  int64_t quota_;                    // elements kept of a state
  int64_t rank_states_;              // sequences whose rank is averaged
  size_t whole_;                     // of K: positions before the first state that is not finite
  std::vector<Head> kept_;           // [K,L,H]
  size_t law_at_;                    // of K
  std::vector<std::pair<int64_t, int64_t>> law_heads_;  // layer and head
  std::vector<at::Tensor> law_states_;                  // of each: [S,P,N]
};

}  // namespace farstate
