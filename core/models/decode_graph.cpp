// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/decode_graph.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include "core/models/placement.h"
#include "core/ops/on_device.h"

namespace farstate {

DecodeGraph::DecodeGraph(const RecurrentLM& model, int64_t batch)
    : model_(model),
      state_(model.zero_state(batch)),
      tokens_(at::zeros({batch}, at::device(device_of(model)).dtype(at::kLong))),
      hidden_(at::empty({batch, model.head_weight().size(1)},
                        state_.layers.front().recurrent.options())),
      graph_(device_of(model), [this] { run(); }) {
  set_state(model.zero_state(batch));  // the recording has read tokens
}

// Whatever step() replaces in the state is copied back to its place.
void DecodeGraph::run() {
  const at::NoGradGuard no_grad;
  ModelState next = state_;
  hidden_.copy_(model_.step(tokens_, next));
  for (size_t i = 0; i < state_.layers.size(); ++i) {
    LayerState& held = state_.layers[i];
    if (!held.recurrent.is_same(next.layers[i].recurrent)) {
      held.recurrent.copy_(next.layers[i].recurrent);
    }
    held.context.copy_(next.layers[i].context);
  }
}

void DecodeGraph::set_state(const ModelState& state) {
  const at::NoGradGuard no_grad;
  for (size_t i = 0; i < state_.layers.size(); ++i) {
    state_.layers[i].recurrent.copy_(state.layers[i].recurrent);
    state_.layers[i].context.copy_(state.layers[i].context);
  }
}

const at::Tensor& DecodeGraph::step(const at::Tensor& tokens) {
  tokens_.copy_(ops::to_device(tokens, tokens_.device()));
  graph_.replay();
  return hidden_;
}

}  // namespace farstate
