// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/unroll.h"

#include <algorithm>
#include <optional>

#include "core/base/stop.h"
#include "core/models/placement.h"
#include "core/ops/cross_entropy.h"
#include "core/ops/on_device.h"
#include "core/ops/threads.h"

namespace farstate {

TokenRows::TokenRows(const at::Tensor& tokens)
    : TokenRows(tokens.size(0), tokens.size(1),
                [tokens](int64_t first, int64_t last, int64_t begin, int64_t end) {
                  return tokens.slice(0, first, last).slice(1, begin, end);
                }) {}

TokenRows::TokenRows(int64_t count, int64_t length, Read read)
    : count_(count), length_(length), read_(std::move(read)) {}

TokenRows TokenRows::rows(int64_t first, int64_t last) const {
  return {last - first, length_,
          [read = read_, first](int64_t from, int64_t to, int64_t begin, int64_t end) {
            return read(first + from, first + to, begin, end);
          }};
}

TokenRows TokenRows::window(int64_t begin, int64_t end) const {
  return {count_, end - begin,
          [read = read_, begin](int64_t first, int64_t last, int64_t from, int64_t to) {
            return read(first, last, begin + from, begin + to);
          }};
}

TokenRows TokenRows::repeated(int64_t times) const {
  return {times * count_, length_,
          [read = read_, times, count = count_](int64_t first, int64_t last, int64_t begin,
                                                int64_t end) {
            return read(0, count, begin, end).repeat({times, 1}).slice(0, first, last);
          }};
}

int64_t segment_length(const ModelSizes& sizes, int64_t batch) {
  // 2^21 floats of the widest activation: enough for efficient GEMMs, and few enough to bound
  // the memory and the time between two looks at the stop token.
  constexpr int64_t kWidestActivation = int64_t{1} << 21;
  const int64_t tokens = kWidestActivation / sizes.widest;
  return std::clamp<int64_t>(tokens / batch, 1, 4096);
}

ModelState unroll(const RecurrentLM& model, const TokenRows& tokens, ModelState state,
                  const UnrollOptions& options, const SegmentObserver& observe) {
  const int64_t N = tokens.length();
  const int64_t step =
      options.segment > 0 ? options.segment : segment_length(model.sizes(), tokens.count());
  auto next_stat = options.stat_positions.begin();
  auto next_state = options.state_positions.begin();
  int64_t end = 0;
  for (int64_t begin = 0; begin < N; begin = end) {
    throw_if_stopped();
    end = std::min(begin + step, N);
    const bool shows_state = next_state != options.state_positions.end() && *next_state < end;
    if (shows_state) end = *next_state++ + 1;
    const auto last_stat = std::lower_bound(next_stat, options.stat_positions.end(), end);
    const std::vector<int64_t> here(next_stat, last_stat);
    next_stat = last_stat;
    ForwardOptions forward;
    forward.dynamics = options.dynamics;
    forward.compute = options.compute;
    forward.recompute = options.recompute;
    for (const int64_t position : here) forward.stat_positions.push_back(position - begin);
    const at::Tensor read =
        ops::to_device(tokens.read(begin, std::min(end + 1, N)), device_of(model));
    const at::Tensor input = read.slice(1, 0, end - begin);
    ForwardResult result = [&] {
      std::optional<ops::FewThreads> few;  // bfloat16's products and roundings are LibTorch's own
      if (options.compute == ops::Compute::kFloat32) {
        few.emplace(input.numel() * model.sizes().model_dim);
      }
      return model.forward(input, state, forward);
    }();
    if (observe) observe(UnrollSegment{begin, input, read.slice(1, 1), result, here, shows_state});
    state = std::move(result.state);
  }
  return state;
}

at::Tensor nll(const RecurrentLM& model, const at::Tensor& hidden, const at::Tensor& targets,
               ops::Compute compute) {
  return ops::head_nll(hidden, model.head_weight(), targets, compute);
}

}  // namespace farstate
