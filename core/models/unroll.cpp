// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/unroll.h"


#include <algorithm>

#include "core/base/stop.h"
#include "core/ops/cross_entropy.h"

namespace farstate {

int64_t segment_length(const RecurrentLM& model, int64_t batch) {
  // 2^21 floats of the widest activation: enough for efficient GEMMs, and few enough to bound
  // the memory and the time between two looks at the stop token.
  constexpr int64_t kWidestActivation = int64_t{1} << 21;
  const int64_t tokens = kWidestActivation / model.sizes().widest;
  return std::clamp<int64_t>(tokens / batch, 1, 4096);
}

ModelState unroll(const RecurrentLM& model, const at::Tensor& tokens, ModelState state,
                  const UnrollOptions& options, const SegmentObserver& observe) {
  const int64_t N = tokens.size(1);
  const int64_t step = options.segment > 0 ? options.segment
                                           : segment_length(model, tokens.size(0));
  auto next_stat = options.stat_positions.begin();
  for (int64_t begin = 0; begin < N; begin += step) {
    throw_if_stopped();
    const int64_t end = std::min(begin + step, N);
    const auto last_stat = std::lower_bound(next_stat, options.stat_positions.end(), end);
    const std::vector<int64_t> here(next_stat, last_stat);
    next_stat = last_stat;
    ForwardOptions forward;
    for (const int64_t position : here) forward.stat_positions.push_back(position - begin);
    ForwardResult result = model.forward(tokens.slice(1, begin, end), state, forward);
    if (observe) observe(UnrollSegment{begin, tokens, result, here});
    state = std::move(result.state);
  }
  return state;
}

at::Tensor nll(const RecurrentLM& model, const at::Tensor& hidden,
                  const at::Tensor& targets) {
  return ops::head_nll(hidden, model.head_weight(), targets);
}

}  // namespace farstate
