// SPDX-License-Identifier: GPL-3.0-or-later
// An intervention is a law for the initial state h_{-1} of a training window (Buitrago Ruiz and
// Gu 2025, arXiv:2507.02782, section 4).
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/interventions/intervention_config.h"
#include "core/state/model_state.h"

namespace farstate {

// The tensors that a policy needs to go on after a restart, by name.
using PolicyMemory = std::map<std::string, at::Tensor>;

class InitialStatePolicy {
 public:
  // `zero` is the model's zero state of one row.
  InitialStatePolicy(const InterventionConfig& config, ModelState zero, uint64_t seed)
      : config_(config), zero_(std::move(zero)), seed_(seed) {}
  virtual ~InitialStatePolicy() = default;

  // The initial state of the step's B rows, outside any graph: gradients stop here. Each row is
  // then zeroed with P(zero state). Depends on nothing but the memory, the seed and the step.
  ModelState initial(int64_t batch, int64_t step);

  // A law without a memory leaves the next four as they are.
  // What the training windows of the step ended in. Called after every update.
  virtual void observe(const ModelState& /*final_state*/) {}
  // Rows that do not continue their previous window (truncated BPTT at the end of the text).
  virtual void restart(const std::vector<uint8_t>& /*rows*/) {}
  virtual PolicyMemory memory() const { return {}; }
  virtual void restore(const PolicyMemory& /*memory*/) {}

  virtual std::string describe() const = 0;  // "state passing, P(zero) 0.1"

 protected:
  // B rows before P(zero state); the caller owns the result.
  virtual ModelState draw(int64_t batch, int64_t step) = 0;

  ModelState zeros(int64_t batch) const;

  InterventionConfig config_;
  ModelState zero_;  // one row
  uint64_t seed_;
};

// Truncated BPTT is state passing whose rows continue the same document: both kinds make the same
// policy, and the trainer chooses the sampler of windows.
std::unique_ptr<InitialStatePolicy> make_policy(const InterventionConfig& config, ModelState zero,
                                                uint64_t seed);

}  // namespace farstate
