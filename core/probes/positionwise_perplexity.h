// SPDX-License-Identifier: GPL-3.0-or-later
// Perplexity by position: the mean negative log-likelihood over sequences and over the positions
// of a logarithmic bin, exponentiated (docs/METHODS.md).
#pragma once

#include "core/probes/position_bins.h"
#include "core/probes/probe.h"
#include "core/results/results.h"

namespace farstate {

class PositionwisePerplexity : public Probe {
 public:
  // S sequences of N tokens. `keep` holds on to every position's loss as well.
  PositionwisePerplexity(const RecurrentLM& model, int64_t sequences, int64_t length,
                         int64_t bins_per_octave, bool keep);

  void observe(int64_t first_sequence, const UnrollSegment& segment) override;
  // "loss" in nats, "perplexity"; of the bins that lie within the reach. The last position has no
  // successor: after N tokens the bins end at N-1.
  std::vector<Series> series(const Reach& reach) const override;
  std::vector<std::vector<float>> take_nll() { return std::move(nll_); }  // [S][N-1]

 private:
  const RecurrentLM& model_;
  PositionBins bins_;
  std::vector<std::vector<double>> sums_;  // [bin][S]
  std::vector<std::vector<float>> nll_;    // [S][N-1] or empty
};

}  // namespace farstate
