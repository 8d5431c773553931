// SPDX-License-Identifier: GPL-3.0-or-later
// Perplexity by position: the mean negative log-likelihood over sequences and over the positions
// of a logarithmic bin, exponentiated (docs/METHODS.md).
#pragma once

#include <span>

#include "core/data/corpus.h"
#include "core/probes/position_bins.h"
#include "core/probes/probe.h"
#include "core/results/results.h"

namespace farstate {

class PositionwisePerplexity : public Probe {
 public:
  // S sequences of N tokens, which outlive the probe. `keep` holds on to every position's loss as
  // well.
  PositionwisePerplexity(const RecurrentLM& model, const Sequences& sequences,
                         int64_t bins_per_octave, bool keep);

  void observe(int64_t first_sequence, const UnrollSegment& segment) override;
  // "loss" in nats, "perplexity"; of the bins that lie within the reach. The last position has no
  // successor: after N tokens the bins end at N-1.
  // Where the text says which tokens can be known from what was read, also "predictable_loss" and
  // "predictable_perplexity", over those alone. Bins with fewer than kFewestTokens of them are joined
  // with the next ones, those before the first such token are left out.
  std::vector<Series> series(const Reach& reach) const override;
  std::vector<std::vector<float>> take_nll() { return std::move(nll_); }  // [S][N-1]

 private:
  static constexpr double kFewestTokens = 32;

  void count_predictable(int64_t s, int64_t begin, std::span<const float> losses);
  Series predictable_loss(const Reach& reach) const;

  const RecurrentLM& model_;
  const Sequences& sequences_;
  PositionBins bins_;
  std::vector<std::vector<double>> sums_;  // [bin][S]
  // The same over predictable tokens, and how many those are; empty if the text does not say.
  std::vector<std::vector<double>> predictable_sums_, predictable_counts_;
  std::vector<std::vector<float>> nll_;    // [S][N-1] or empty
};

}  // namespace farstate
