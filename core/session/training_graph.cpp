// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/training_graph.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros.h>

#include "core/models/placement.h"
#include "core/models/unroll.h"
#include "core/ops/on_device.h"

namespace farstate {
namespace {

void copy_state(const ModelState& from, const ModelState& to) {
  const at::NoGradGuard no_grad;
  for (size_t i = 0; i < to.layers.size(); ++i) {
    to.layers[i].recurrent.copy_(from.layers[i].recurrent, /*non_blocking=*/true);
    to.layers[i].context.copy_(from.layers[i].context, /*non_blocking=*/true);
  }
}

}  // namespace

TrainingGraph::TrainingGraph(const RecurrentLM& model, const TrainConfig& config)
    : model_(model),
      config_(config),
      tokens_(at::zeros({config.batch, config.context + 1},
                        at::device(device_of(model)).dtype(at::kLong))),
      initial_(model.zero_state(config.batch)),
      final_(model.zero_state(config.batch)),
      loss_(at::zeros({}, initial_.layers.front().recurrent.options())),
      graph_(device_of(model), [this] { work(); }) {
  drop_gradients(model_);
}

// Gradients are made anew each time: where there are none, autograd hands its own tensors over, and
// those of the recording stay at their places.
void TrainingGraph::work() {
  drop_gradients(model_);
  UnrollOptions options;
  options.segment = config_.context;
  options.recompute = config_.recompute;
  options.compute =
      config_.compute == "bfloat16" ? ops::Compute::kBFloat16 : ops::Compute::kFloat32;
  at::Tensor loss;
  const ModelState state =
      unroll(model_, tokens_.slice(1, 0, config_.context), initial_, options,
             [&](const UnrollSegment& segment) {
               loss = nll(model_, segment.result.hidden.flatten(0, 1),
                          tokens_.slice(1, 1).reshape({-1}), options.compute)
                          .mean();
             });
  loss.backward();
  const at::NoGradGuard no_grad;
  loss_.copy_(loss);
  copy_state(state, final_);
  gradients_.clear();
  for (const TensorEntry& entry : model_.tensors()) gradients_.push_back(entry.tensor.grad());
}

BatchPass TrainingGraph::run(const at::Tensor& tokens, const ModelState& initial) {
  tokens_.copy_(ops::to_device(tokens, tokens_.device()));
  copy_state(initial.empty() ? model_.zero_state(config_.batch) : initial, initial_);
  graph_.replay();
  for (size_t i = 0; i < gradients_.size(); ++i) {
    model_.tensors()[i].tensor.mutable_grad() = gradients_[i];
  }
  return {.loss = loss_.item<double>(), .final_state = final_, .stats = {}};
}

}  // namespace farstate
