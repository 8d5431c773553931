// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/batch_gradients.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/models/unroll.h"

namespace farstate {
namespace {

UnrollOptions options_of(const TrainConfig& config, int64_t length,
                         const std::vector<int64_t>& stat_positions) {
  UnrollOptions options;
  options.segment = length;
  options.stat_positions = stat_positions;
  options.recompute = config.recompute;
  options.compute =
      config.compute == "bfloat16" ? ops::Compute::kBFloat16 : ops::Compute::kFloat32;
  return options;
}

// Groups of rows of [L][b,…] as [L][B,…].
std::vector<at::Tensor> row_by_row(std::vector<std::vector<at::Tensor>>& groups) {
  if (groups.size() == 1) return std::move(groups.front());
  std::vector<at::Tensor> layers;
  for (size_t layer = 0; layer < groups.front().size(); ++layer) {
    std::vector<at::Tensor> rows;
    for (const std::vector<at::Tensor>& group : groups) rows.push_back(group[layer]);
    layers.push_back(at::cat(rows));
  }
  return layers;
}

}  // namespace

int64_t rows_at_once(const TrainConfig& config) {
  return config.micro_batch > 0 ? std::min(config.micro_batch, config.batch) : config.batch;
}

// The batch's loss is the mean over all of its tokens, so a group's mean counts by its share of the
// rows.
BatchPass add_gradients(const RecurrentLM& model, const at::Tensor& tokens,
                        const ModelState& initial, const TrainConfig& config,
                        const std::vector<int64_t>& stat_positions) {
  const int64_t B = tokens.size(0);
  const int64_t T = tokens.size(1) - 1;
  const int64_t group = rows_at_once(config);
  const UnrollOptions options = options_of(config, T, stat_positions);
  BatchPass pass;
  std::vector<std::vector<at::Tensor>> stats;  // by group
  std::vector<ModelState> final_states;
  for (int64_t first = 0; first < B; first += group) {
    const int64_t last = std::min(first + group, B);
    const at::Tensor rows = tokens.slice(0, first, last);
    const at::Tensor targets = rows.slice(1, 1, T + 1).reshape({-1});
    const double share = static_cast<double>(last - first) / static_cast<double>(B);
    at::Tensor loss;
    ModelState state = unroll(
        model, rows.slice(1, 0, T), initial.empty() ? ModelState{} : initial.rows(first, last),
        options, [&](const UnrollSegment& segment) {
          stats.push_back(segment.result.stats);
          loss = nll(model, segment.result.hidden.flatten(0, 1), targets, options.compute).mean();
        });
    pass.loss += share * loss.item<double>();
    if (!std::isfinite(pass.loss)) return pass;
    (group < B ? loss * share : loss).backward();
    final_states.push_back(state.detach());
  }
  pass.final_state = final_states.size() == 1 ? std::move(final_states.front())
                                              : ModelState::concatenate(final_states);
  pass.stats = row_by_row(stats);
  return pass;
}

BatchPass read_only(const RecurrentLM& model, const at::Tensor& tokens, const TrainConfig& config,
                    const std::vector<int64_t>& stat_positions) {
  const at::NoGradGuard no_grad;
  const int64_t T = tokens.size(1) - 1;
  BatchPass pass;
  pass.final_state =
      unroll(model, tokens.slice(1, 0, T), {}, options_of(config, T, stat_positions),
             [&](const UnrollSegment& segment) { pass.stats = segment.result.stats; });
  return pass;
}

void drop_gradients(const RecurrentLM& model) {
  for (const TensorEntry& entry : model.tensors()) entry.tensor.mutable_grad().reset();
}

}  // namespace farstate
