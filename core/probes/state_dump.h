// SPDX-License-Identifier: GPL-3.0-or-later
// The raw states at chosen positions, as arrays for NumPy: what every statistic can be checked with.
#pragma once

#include <string>

#include "core/probes/probe.h"

namespace farstate {

class StateDump : public Probe {
 public:
  // positions: indices of tokens, from 0; the state is the one after that token was read. Makes the
  // folder. Throws Error(kBadUsage) for a position outside [0, length).
  StateDump(const RecurrentLM& model, int64_t sequences, int64_t length,
            std::vector<int64_t> positions, std::string folder);

  std::vector<int64_t> state_positions() const override { return positions_; }
  // Once all sequences of a position are there, writes state_L<layer>_t<position>.npy,
  // fp32 [S,H,P,N]. Until then the states are kept: S x P x N x H x L floats per position.
  void observe(int64_t first_sequence, const UnrollSegment& segment) override;
  std::vector<Series> series(const Reach&) const override { return {}; }

 private:
  int64_t sequences_;
  std::vector<int64_t> positions_;
  std::string folder_;
  std::vector<std::vector<at::Tensor>> states_;  // [K][L], each [S,H,P,N]
};

}  // namespace farstate
