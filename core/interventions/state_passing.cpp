// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interventions/state_passing.h"

#include <fmt/format.h>

namespace farstate {

void StatePassing::observe(const Observation& windows) {
  carried_ = windows.final_state.detach();
}

void StatePassing::restart(const std::vector<uint8_t>& rows) {
  if (carried_.batch() == static_cast<int64_t>(rows.size())) carried_.zero_rows(rows);
}

ModelState StatePassing::draw(int64_t batch, int64_t) {
  // A batch of another size begins anew: which row would continue which is nobody's guess.
  if (carried_.batch() != batch) return zeros(batch);
  ModelState state = carried_.clone();
  if (!config_.pass_conv_context) {
    for (LayerState& layer : state.layers) layer.context.zero_();
  }
  return state;
}

PolicyMemory StatePassing::memory() const {
  PolicyMemory memory;
  for (size_t i = 0; i < carried_.layers.size(); ++i) {
    memory[fmt::format("carried.{}.recurrent", i)] = carried_.layers[i].recurrent;
    memory[fmt::format("carried.{}.context", i)] = carried_.layers[i].context;
  }
  return memory;
}

void StatePassing::restore(const PolicyMemory& memory) {
  carried_ = {};
  if (memory.empty()) return;
  for (size_t i = 0; i < zero_.layers.size(); ++i) {
    carried_.layers.push_back({memory.at(fmt::format("carried.{}.recurrent", i)).clone(),
                               memory.at(fmt::format("carried.{}.context", i)).clone()});
  }
}

std::string StatePassing::describe() const {
  return fmt::format("{}, {}P(zero) {}",
                     config_.kind == Intervention::kTbtt ? "truncated BPTT" : "state passing",
                     config_.pass_conv_context ? "" : "without the convolution context, ",
                     config_.zero_probability);
}

}  // namespace farstate
