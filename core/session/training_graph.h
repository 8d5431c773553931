// SPDX-License-Identifier: GPL-3.0-or-later
// The forward and backward passes of a training step as one recorded piece of work
// (core/ops/device_graph.h), for models so small that launching their kernels takes longer than
// running them.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "core/ops/device_graph.h"
#include "core/session/batch_gradients.h"

namespace farstate {

class TrainingGraph {
 public:
  // For batches of config.batch windows of config.context tokens, computed at once, all of whose
  // targets count. The model outlives the graph, and its weights stay where they are; their values
  // may change.
  TrainingGraph(const RecurrentLM& model, const TrainConfig& config);

  // As add_gradients(), but the weights' gradients are this batch's alone. What comes back is
  // written over by the next call. tokens [B,T+1]; `initial` may be empty (zero).
  BatchPass run(const at::Tensor& tokens, const ModelState& initial);
  bool recorded() const { return graph_.recorded(); }

 private:
  void work();

  const RecurrentLM& model_;
  TrainConfig config_;
  at::Tensor tokens_;  // [B,T+1]
  ModelState initial_, final_;
  at::Tensor loss_;
  std::vector<at::Tensor> gradients_;  // of the weights, in the order of tensors()
  ops::DeviceGraph graph_;
};

}  // namespace farstate
