// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/batch_gradients.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/models/unroll.h"
#include "core/ops/on_device.h"
#include "core/ops/threads.h"

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

class CountedTargets {
 public:
  explicit CountedTargets(const Batch& batch) : batch_(batch), total_(count(0, batch.tokens.size(0))) {
    if (total_ > 0) return;
    throw Error(ErrorKind::kBadInput,
                "No token of this step's windows counts as an answer, so there is nothing to learn from; "
                "choose a longer context, or count the loss of all tokens.");
  }

  // Of rows [first, last) among all.
  double share(int64_t first, int64_t last) const {
    return static_cast<double>(count(first, last)) / static_cast<double>(total_);
  }

  // The mean over those of the rows from `first` on, hidden [b,T,D]; undefined: they have none.
  at::Tensor loss(const RecurrentLM& model, const at::Tensor& hidden, int64_t first,
                  ops::Compute compute) const {
    const int64_t last = first + hidden.size(0);
    const at::Tensor targets = ops::to_device(
        batch_.tokens.slice(0, first, last).slice(1, 1).reshape({-1}), hidden.device());
    const at::Tensor rows = hidden.flatten(0, 1);
    if (!batch_.counted.defined()) return nll(model, rows, targets, compute).mean();
    const at::Tensor chosen = batch_.counted.slice(0, first, last).flatten().nonzero().squeeze(1);
    if (chosen.numel() == 0) return {};
    const at::Tensor counted = ops::to_device(chosen, hidden.device());
    return nll(model, rows.index_select(0, counted), targets.index_select(0, counted), compute).mean();
  }

 private:
  int64_t count(int64_t first, int64_t last) const {
    if (!batch_.counted.defined()) return (last - first) * (batch_.tokens.size(1) - 1);
    return batch_.counted.slice(0, first, last).sum().item<int64_t>();
  }

  const Batch& batch_;
  int64_t total_;
};

}  // namespace

int64_t rows_at_once(const TrainConfig& config) {
  return config.micro_batch > 0 ? std::min(config.micro_batch, config.batch) : config.batch;
}

// A group of rows is read whole; its loss is its counted targets' part of the batch's mean.
BatchPass add_gradients(const RecurrentLM& model, const Batch& batch, const ModelState& initial,
                        const TrainConfig& config, const std::vector<int64_t>& stat_positions) {
  const int64_t B = batch.tokens.size(0);
  const int64_t T = batch.tokens.size(1) - 1;
  const CountedTargets targets(batch);
  const int64_t group = rows_at_once(config);
  const UnrollOptions options = options_of(config, T, stat_positions);
  std::optional<ops::FewThreads> few;  // bfloat16's products and roundings are LibTorch's own
  if (options.compute == ops::Compute::kFloat32) few.emplace(group * T * model.sizes().model_dim);
  BatchPass pass;
  std::vector<std::vector<at::Tensor>> stats;  // by group
  std::vector<ModelState> final_states;
  at::Tensor device_loss;  // read once, when all is in the device's queue: reading waits for it
  for (int64_t first = 0; first < B; first += group) {
    const int64_t last = std::min(first + group, B);
    at::Tensor loss;
    ModelState state = unroll(
        model, batch.tokens.slice(0, first, last).slice(1, 0, T),
        initial.empty() ? ModelState{} : initial.rows(first, last), options,
        [&](const UnrollSegment& segment) {
          stats.push_back(segment.result.stats);
          loss = targets.loss(model, segment.result.hidden, first, options.compute);
        });
    final_states.push_back(state.detach());
    if (!loss.defined()) continue;
    const double share = targets.share(first, last);
    if (loss.is_cpu()) {
      pass.loss += share * loss.item<double>();
      if (!std::isfinite(pass.loss)) return pass;
    } else {
      const at::Tensor part = loss.detach() * share;
      device_loss = device_loss.defined() ? device_loss + part : part;
    }
    (share < 1 ? loss * share : loss).backward();
  }
  if (device_loss.defined()) pass.loss = device_loss.item<double>();
  if (!std::isfinite(pass.loss)) return pass;
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
