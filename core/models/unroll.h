// SPDX-License-Identifier: GPL-3.0-or-later
// The one loop over a sequence that carries a ModelState: training, decoding, perplexity, state
// statistics and Effective Remembrance all run on it.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <vector>

#include "core/models/recurrent_lm.h"

namespace farstate {

// B rows of N tokens that are read in pieces, so that a long text is never held as a whole.
class TokenRows {
 public:
  // Positions [begin, end) of rows [first, last), int64.
  using Read = std::function<at::Tensor(int64_t first, int64_t last, int64_t begin, int64_t end)>;

  TokenRows(const at::Tensor& tokens);  // NOLINT: a tensor [B,N] is such rows
  TokenRows(int64_t count, int64_t length, Read read);

  int64_t count() const { return count_; }    // B
  int64_t length() const { return length_; }  // N
  at::Tensor read(int64_t begin, int64_t end) const { return read_(0, count_, begin, end); }
  TokenRows rows(int64_t first, int64_t last) const;
  // Positions [begin, end), and the same rows `times` times one below the other.
  TokenRows window(int64_t begin, int64_t end) const;
  TokenRows repeated(int64_t times) const;

 private:
  int64_t count_;
  int64_t length_;
  Read read_;
};

struct UnrollOptions {
  // Positions read by one forward call. 0: segment_length(model, B), a fixed working set whatever
  // the sequence's length.
  int64_t segment = 0;
  // Ascending positions in [0,N) after which the statistics of every layer's state are taken.
  std::vector<int64_t> stat_positions;
  // Ascending positions in [0,N) after which the whole state is shown: a segment ends there.
  std::vector<int64_t> state_positions = {};
  bool dynamics = false;  // ForwardResult::dynamics for every segment
  ops::Compute compute = ops::Compute::kFloat32;  // as ForwardOptions has them
  bool recompute = false;
};

// One forward call's worth: positions [begin, begin + t) of the sequence.
struct UnrollSegment {
  int64_t begin = 0;
  at::Tensor tokens;   // [B,t]
  at::Tensor targets;  // [B,t], the token after each; [B,t-1] at the end of the sequence
  const ForwardResult& result;  // hidden [B,t,D], the state after the segment, stats
  const std::vector<int64_t>& stat_positions;  // of this segment, as positions of the sequence
  bool shows_state = false;  // result.state is the one after a position of state_positions
};

using SegmentObserver = std::function<void(const UnrollSegment&)>;

// Reads the tokens from `state` (empty: zero) and returns the state after the last one. Split
// anywhere it gives the same numbers. Records a graph only while gradients are enabled.
ModelState unroll(const RecurrentLM& model, const TokenRows& tokens, ModelState state,
                  const UnrollOptions& options, const SegmentObserver& observe);

// Positions per forward call for B rows such that activations stay near a fixed size.
int64_t segment_length(const ModelSizes& sizes, int64_t batch);

// [R] nats: the negative log-likelihood of targets [R] after hidden [R,D].
at::Tensor nll(const RecurrentLM& model, const at::Tensor& hidden, const at::Tensor& targets,
               ops::Compute compute = ops::Compute::kFloat32);

}  // namespace farstate
