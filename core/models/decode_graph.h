// SPDX-License-Identifier: GPL-3.0-or-later
// Decoding as one recorded piece of work (core/ops/device_graph.h): a step of a fixed number of rows
// whose tokens, state and result stay at their places in the device's memory.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/models/recurrent_lm.h"
#include "core/ops/device_graph.h"

namespace farstate {

class DecodeGraph {
 public:
  // The model outlives the graph, and its weights stay where they are; their values may change.
  // Begins at the zero state.
  DecodeGraph(const RecurrentLM& model, int64_t batch);

  void set_state(const ModelState& state);
  const ModelState& state() const { return state_; }

  // tokens [B] -> hidden [B,D], which the next step writes over.
  const at::Tensor& step(const at::Tensor& tokens);
  bool recorded() const { return graph_.recorded(); }

 private:
  void run();

  const RecurrentLM& model_;
  ModelState state_;   // B rows
  at::Tensor tokens_;  // [B]
  at::Tensor hidden_;  // [B,D]
  ops::DeviceGraph graph_;
};

}  // namespace farstate
