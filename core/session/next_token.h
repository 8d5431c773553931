// SPDX-License-Identifier: GPL-3.0-or-later
// The distribution of the next token: what is shown of it, and how one is drawn.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/base/rng.h"
#include "core/session/generation.h"

namespace farstate {

class NextTokenDistribution {
 public:
  // Over all rows of the head, as every loss is. Ids from `drawable` on only fill the vocabulary up
  // to a round size: they have no text and are never drawn.
  NextTokenDistribution(std::span<const float> logits, int64_t drawable);

  bool finite() const { return finite_; }
  double loss(int64_t id) const { return -log_probability_[static_cast<size_t>(id)]; }  // nats
  double entropy() const;                                                               // nats
  // The most likely of those that can be drawn, with their probabilities; equals by id.
  std::vector<std::pair<int64_t, double>> top(size_t count) const;
  // KL(this || other) in nats.
  double divergence_to(const NextTokenDistribution& other) const;

  // From the smallest set of tokens whose probability reaches top_p (Holtzman et al. 2020,
  // arXiv:1904.09751), after the temperature.
  int64_t draw(const SamplingConfig& config, Rng& rng) const;

 private:
  std::vector<double> log_probability_;  // V
  int64_t drawable_;
  bool finite_ = true;
};

}  // namespace farstate
