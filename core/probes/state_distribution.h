// SPDX-License-Identifier: GPL-3.0-or-later
// How far the states of later positions are from those that training showed, per layer and head:
// the elements of h at a position against the elements at positions within the training context
// (Kolmogorov-Smirnov and Wasserstein-1 distance), h against h at the training context (cosine),
// the shape of the elements' distribution, and the effective rank of h. And which noise could stand
// in for the states at the training context (state_law.h).
#pragma once

#include <array>
#include <string>

#include "core/probes/distribution.h"
#include "core/probes/probe.h"
#include "core/probes/state_law.h"
#include "core/results/state_report.h"

namespace farstate {

struct DistributionOptions {
  std::vector<int64_t> pins;  // positions that report() looks at closely; from 1 to the length
  bool curves = true;         // series() at the powers of two from 16 on and at the end as well
  HeadIndex focus;            // always among the heads whose law is looked for
  uint64_t seed = 0;          // of the law's shuffles
};

class StateDistribution : public Probe {
 public:
  // trained_context T: its states, and those at T/2, T/4 and T/8, are the reference. 0 or beyond
  // the length: there is none, nothing is compared, and the law is that of the last position.
  StateDistribution(const RecurrentLM& model, int64_t sequences, int64_t length,
                    int64_t trained_context, const DistributionOptions& options);

  std::vector<int64_t> state_positions() const override { return indices_; }
  // Keeps of every head and position the moments of all elements and a sample of them.
  void observe(int64_t first_sequence, const UnrollSegment& segment) override;
  // "ks_distance", "wasserstein", "state_cosine" where there is a reference, "effective_rank",
  // "state_skewness", "state_kurtosis" (in excess of a Gaussian's) per layer and head.
  std::vector<Series> series(const Reach& reach) const override;

  // Looks for the law of the states. Takes a while for many heads; a stop throws.
  void look_for_law(const Reach& reach);
  // What was seen at the pins and in training: heads, law and notes; pins beyond the reach are left
  // out, with a note.
  StateReport report(const Reach& reach) const;
  // In words: what was thinned, and the law of the states.
  std::vector<std::string> notes(const Reach& reach) const;

 private:
  static constexpr size_t kSingularValues = 8;
  struct Gathered {  // of one head at one position, over all sequences so far
    Moments moments;  // of all elements
    double norm = 0;  // sum over states
    double rank = 0;  // sums over rank_states_ sequences
    std::array<double, kSingularValues> singular_values{};
  };
  struct Law {
    HeadIndex index;
    at::Tensor states;  // [S,P,N]
    HeadLaw found;
    HeadLawReport report;
  };

  size_t flat(HeadIndex index) const { return static_cast<size_t>(index.layer * heads_ + index.head); }
  void choose_law_heads(HeadIndex focus);
  void gather(size_t k, int64_t layer, int64_t first_sequence, const at::Tensor& h);
  size_t within(const Reach& reach) const;       // of K: the positions within the reach
  std::vector<size_t> trained(const Reach& reach) const;  // of K
  std::span<const float> elements(size_t k, size_t head, int64_t sequences) const;
  std::vector<float> sorted(std::span<const size_t> ks, size_t head, int64_t sequences) const;
  std::vector<double> cosines(size_t k, size_t head, int64_t sequences) const;
  ElementDistribution describe(std::span<const size_t> ks, size_t head, int64_t sequences,
                               std::span<const float> sorted) const;
  HeadReport head_report(HeadIndex index, const StateReport& report, const Reach& reach) const;

  int64_t layers_, heads_, head_dim_, state_dim_, sequences_;
  DistributionOptions options_;
  std::vector<int64_t> indices_;      // K, ascending
  std::vector<size_t> reference_of_;  // of K: within the training context, T last; empty: none
  int64_t quota_;                     // elements kept of a state
  int64_t rank_states_;               // sequences whose rank is averaged
  std::vector<std::vector<Gathered>> gathered_;  // [K][L*H], empty until observed
  std::vector<std::vector<float>> kept_;         // [K][L*H,S,quota], likewise
  size_t law_at_;                                // of K
  std::vector<Law> laws_;                        // of the chosen heads
  std::string model_law_;
};

// What the probe holds at most, and for a moment while it looks for the law.
int64_t state_distribution_bytes(const ModelSizes& sizes, int64_t sequences, int64_t length,
                                 int64_t pins, bool curves);
int64_t state_law_bytes(const ModelSizes& sizes, int64_t sequences, int64_t threads);

}  // namespace farstate
