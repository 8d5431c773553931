// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probes/effective_remembrance.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/stack.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/stop.h"
#include "core/probes/position_bins.h"

namespace farstate {
namespace {

// The logits of q(.|x[t:T]) for every t of the grid, of S sequences at once: [K,S,V].
//
// The suffixes need no padding: all read the same tokens up to the same end. So the sequence is
// read once, and where a suffix begins, S rows in the zero state join the batch.
at::Tensor suffix_logits(const RecurrentLM& model, const TokenRows& sequences,
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
  return model.logits(last).view({static_cast<int64_t>(grid.size()), S, -1});
}

enum Measure { kTotalVariation, kJensenShannon, kKullbackLeibler, kAgreement, kMeasures };

struct Distribution {
  at::Tensor log_q;   // [S,V] fp64
  at::Tensor q;       // [S,V] fp64
  at::Tensor likely;  // [S] the most likely token

  explicit Distribution(const at::Tensor& logits)
      : log_q(logits.to(at::kDouble).log_softmax(-1)),
        q(log_q.exp()),
        likely(logits.argmax(-1)) {}
};

// [kMeasures,S]. With gap = |log p - log q| the mixture m = (p + q)/2 lies log((1 + exp(-gap))/2)
// above the larger of the two, so no logarithm of a vanishing mixture is needed, and equal
// distributions have a divergence of exactly 0.
at::Tensor compare(const Distribution& full, const Distribution& suffix) {
  const at::Tensor ratio = full.log_q - suffix.log_q;
  const at::Tensor gap = ratio.abs();
  const at::Tensor above = gap.neg().expm1().div(2).log1p().neg();  // log larger - log m
  const at::Tensor divergence =
      ((full.q + suffix.q) * above - at::minimum(full.q, suffix.q) * gap).sum(-1) / 2;
  // Rounding leaves the sums of two almost equal distributions on either side of 0.
  return at::stack({(full.q - suffix.q).abs().sum(-1) / 2, divergence.clamp_min(0),
                    (full.q * ratio).sum(-1).clamp_min(0),
                    (full.likely == suffix.likely).to(at::kDouble)});
}

// [kMeasures][K][S]
using Values = std::vector<std::vector<std::vector<double>>>;

Series empty_series(const char* name, const char* unit, int64_t sequences) {
  Series series;
  series.name = name;
  series.x_name = "dropped_tokens";
  series.unit = unit;
  series.sequences = sequences;
  return series;
}

Series mean_series(const char* name, const char* unit, const std::vector<int64_t>& grid,
                   const std::vector<std::vector<double>>& values) {
  Series series = empty_series(name, unit, static_cast<int64_t>(values.front().size()));
  for (size_t k = 0; k < grid.size(); ++k) {
    append(series, static_cast<double>(grid[k]), mean_interval(values[k]));
  }
  return series;
}

Series quantile_series(const char* name, const char* unit, double share,
                       const std::vector<int64_t>& grid,
                       const std::vector<std::vector<double>>& values) {
  Series series = empty_series(name, unit, static_cast<int64_t>(values.front().size()));
  for (size_t k = 0; k < grid.size(); ++k) {
    series.x.push_back(static_cast<double>(grid[k]));
    series.y.push_back(quantile(values[k], share));
  }
  return series;
}

std::vector<Series> series_of(const std::vector<int64_t>& grid, const Values& values) {
  const auto& variation = values[kTotalVariation];
  constexpr const char* kUnit = "total variation";
  return {mean_series("effrem", kUnit, grid, variation),
          quantile_series("effrem_q10", kUnit, 0.1, grid, variation),
          quantile_series("effrem_q50", kUnit, 0.5, grid, variation),
          quantile_series("effrem_q90", kUnit, 0.9, grid, variation),
          mean_series("effrem_js", "nats", grid, values[kJensenShannon]),
          mean_series("effrem_kl", "nats", grid, values[kKullbackLeibler]),
          mean_series("effrem_agreement", "share", grid, values[kAgreement])};
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

std::vector<Series> effective_remembrance(const RecurrentLM& model, const TokenRows& sequences,
                                          const std::vector<int64_t>& grid,
                                          const std::function<void(double)>& progress) {
  const at::NoGradGuard no_grad;
  const int64_t S = sequences.count();
  const int64_t T = sequences.length();
  const size_t K = grid.size();
  const int64_t group = effrem_group(model.sizes().state_bytes, static_cast<int64_t>(K), S);

  int64_t total = 0;
  for (const int64_t t : grid) total += (T - t) * S;
  int64_t done = 0;
  Values values(kMeasures, std::vector(K, std::vector<double>(static_cast<size_t>(S))));
  for (int64_t first = 0; first < S; first += group) {
    const int64_t last = std::min(first + group, S);
    const at::Tensor logits =
        suffix_logits(model, sequences.rows(first, last), grid, [&](int64_t tokens) {
          done += tokens;
          if (progress) progress(static_cast<double>(done) / static_cast<double>(total));
        });
    const Distribution full(logits[0]);
    for (size_t k = 0; k < K; ++k) {
      throw_if_stopped();
      const at::Tensor measured =
          compare(full, Distribution(logits[static_cast<int64_t>(k)])).contiguous();
      const double* of_measure = measured.data_ptr<double>();
      for (auto& measure : values) {
        std::copy_n(of_measure, last - first, measure[k].begin() + first);
        of_measure += last - first;
      }
    }
  }
  return series_of(grid, values);
}

}  // namespace farstate
