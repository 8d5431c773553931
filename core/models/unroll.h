// SPDX-License-Identifier: GPL-3.0-or-later
// The one loop over a sequence that carries a ModelState: training, decoding, perplexity, state
// statistics and Effective Remembrance all run on it.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <vector>

#include "core/models/recurrent_lm.h"

namespace farstate {

struct UnrollOptions {
  // Positions read by one forward call. 0: segment_length(model, B), a fixed working set whatever
  // the sequence's length.
  int64_t segment = 0;
  // Ascending positions in [0,N) after which the statistics of every layer's state are taken.
  std::vector<int64_t> stat_positions;
};

// One forward call's worth: positions [begin, begin + t) of the sequence.
struct UnrollSegment {
  int64_t begin = 0;
  const at::Tensor& tokens;       // [B,N], the whole sequence
  const ForwardResult& result;       // hidden [B,t,D], the state after the segment, stats
  const std::vector<int64_t>& stat_positions;  // of this segment, as positions of the sequence
};

using SegmentObserver = std::function<void(const UnrollSegment&)>;

// Reads tokens [B,N] from `state` (empty: zero) and returns the state after the last one. Split
// anywhere it gives the same numbers. Records a graph only while gradients are enabled.
ModelState unroll(const RecurrentLM& model, const at::Tensor& tokens, ModelState state,
                  const UnrollOptions& options, const SegmentObserver& observe);

// Positions per forward call for B rows such that activations stay near a fixed size.
int64_t segment_length(const RecurrentLM& model, int64_t batch);

// [R] nats: the negative log-likelihood of targets [R] after hidden [R,D].
at::Tensor nll(const RecurrentLM& model, const at::Tensor& hidden,
                  const at::Tensor& targets);

}  // namespace farstate
