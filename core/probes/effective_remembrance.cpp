// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probes/effective_remembrance.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/stop.h"
#include "core/probes/position_bins.h"

namespace farstate {
namespace {

// q(.|x[t:T]) for every t of the grid, of S sequences at once: [K,S,V] fp64.
//
// The suffixes need no padding: all read the same tokens up to the same end. So the sequence is
// read once, and where a suffix begins, S rows in the zero state join the batch.
at::Tensor suffix_distributions(const RecurrentLM& model, const TokenRows& sequences,
                                const std::vector<int64_t>& grid,
                                const std::function<void(int64_t)>& tokens_read) {
  const int64_t S = sequences.count();
  const int64_t T = sequences.length();
  ModelState state;
  at::Tensor last;  // [K*S,D] hidden at the last position
  for (size_t k = 0; k < grid.size(); ++k) {
    const auto parts = static_cast<int64_t>(k) + 1;
    const int64_t end = k + 1 < grid.size() ? grid[k + 1] : T;
    state = state.empty() ? model.zero_state(S)
                          : ModelState::concatenate({state, model.zero_state(S)});
    const TokenRows tokens = sequences.window(grid[k], end).repeated(parts);
    state = unroll(model, tokens, std::move(state), {}, [&](const UnrollSegment& segment) {
      last = segment.result.hidden.select(1, -1);
      tokens_read(segment.result.hidden.size(0) * segment.result.hidden.size(1));
    });
  }
  const at::Tensor q = model.logits(last).to(at::kDouble).softmax(-1);
  return q.view({static_cast<int64_t>(grid.size()), S, -1});
}

}  // namespace

std::vector<int64_t> effrem_grid(int64_t length, int64_t points) {
  std::set<int64_t> grid = {0};
  const int64_t each = std::max<int64_t>(points / 2, 1);
  const double octaves = std::log2(std::max(static_cast<double>(length) / 2, 1.0));
  for (int64_t i = 0; i < each; ++i) {
    const double share = each > 1 ? static_cast<double>(i) / static_cast<double>(each - 1) : 0.0;
    const auto distance = static_cast<int64_t>(std::lround(std::exp2(octaves * share)));
    grid.insert(std::clamp<int64_t>(distance, 0, length - 1));
    grid.insert(std::clamp<int64_t>(length - distance, 0, length - 1));
  }
  return {grid.begin(), grid.end()};
}

int64_t effrem_group(int64_t state_bytes, int64_t points, int64_t sequences) {
  constexpr int64_t kStateBudget = int64_t{128} << 20;
  return std::clamp<int64_t>(kStateBudget / (state_bytes * points), 1, sequences);
}

Series effective_remembrance(const RecurrentLM& model, const TokenRows& sequences,
                             const std::vector<int64_t>& grid,
                             const std::function<void(double)>& progress) {
  const at::NoGradGuard no_grad;
  const int64_t S = sequences.count();
  const int64_t T = sequences.length();
  const auto K = static_cast<int64_t>(grid.size());
  const int64_t group = effrem_group(model.sizes().state_bytes, K, S);

  int64_t total = 0;
  for (const int64_t t : grid) total += (T - t) * S;
  int64_t done = 0;
  std::vector<std::vector<double>> distance(grid.size(), std::vector<double>(static_cast<size_t>(S)));
  for (int64_t first = 0; first < S; first += group) {
    const int64_t last = std::min(first + group, S);
    const at::Tensor q =
        suffix_distributions(model, sequences.rows(first, last), grid, [&](int64_t tokens) {
          done += tokens;
          if (progress) progress(static_cast<double>(done) / static_cast<double>(total));
        });
    const at::Tensor variation = (q - q[0]).abs().sum(-1) / 2;  // [K,S]
    for (int64_t k = 0; k < K; ++k) {
      for (int64_t s = first; s < last; ++s) {
        distance[static_cast<size_t>(k)][static_cast<size_t>(s)] =
            variation[k][s - first].item<double>();
      }
    }
  }

  Series series;
  series.name = "effrem";
  series.x_name = "dropped_tokens";
  series.unit = "total variation";
  series.sequences = S;
  for (size_t k = 0; k < grid.size(); ++k) {
    append(series, static_cast<double>(grid[k]), mean_interval(distance[k]));
  }
  return series;
}

}  // namespace farstate
