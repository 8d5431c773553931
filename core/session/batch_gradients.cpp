// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/batch_gradients.h"

#include <ATen/TensorOperators.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/models/unroll.h"

namespace farstate {

int64_t rows_at_once(const TrainConfig& config) {
  return config.micro_batch > 0 ? std::min(config.micro_batch, config.batch) : config.batch;
}

// The batch's loss is the mean over all of its tokens, so a group's mean counts by its share of the
// rows.
BatchPass add_gradients(const RecurrentLM& model, const at::Tensor& tokens,
                        const ModelState& initial, const TrainConfig& config) {
  const int64_t B = tokens.size(0);
  const int64_t T = tokens.size(1) - 1;
  const int64_t group = rows_at_once(config);
  UnrollOptions options;
  options.segment = T;
  options.recompute = config.recompute;
  options.compute =
      config.compute == "bfloat16" ? ops::Compute::kBFloat16 : ops::Compute::kFloat32;
  BatchPass pass;
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
          loss = nll(model, segment.result.hidden.flatten(0, 1), targets, options.compute).mean();
        });
    pass.loss += share * loss.item<double>();
    if (!std::isfinite(pass.loss)) return pass;
    (group < B ? loss * share : loss).backward();
    final_states.push_back(state.detach());
  }
  pass.final_state = final_states.size() == 1 ? std::move(final_states.front())
                                              : ModelState::concatenate(final_states);
  return pass;
}

void drop_gradients(const RecurrentLM& model) {
  for (const TensorEntry& entry : model.tensors()) entry.tensor.mutable_grad().reset();
}

}  // namespace farstate
