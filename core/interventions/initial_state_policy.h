// SPDX-License-Identifier: GPL-3.0-or-later
// An intervention is a law for the initial state h_{-1} of a training window (Buitrago Ruiz and
// Gu 2025, arXiv:2507.02782, section 4).
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/interventions/intervention_config.h"
#include "core/state/model_state.h"

namespace farstate {

// The tensors that a policy needs to go on after a restart, by name.
using PolicyMemory = std::map<std::string, at::Tensor>;

// Training windows as a law sees them.
struct Observation {
  const ModelState& final_state;  // B rows
  // [L][B,K,H,4] as ops::state_stats, after each of stat_positions(); empty if these are.
  std::vector<at::Tensor> stats = {};
};

// Windows [next, count) of a fixed set are still to be read.
struct FixedSet {
  int64_t next = 0;
  int64_t count = 0;
  bool whole() const { return next >= count; }
};

// The Gaussian that a law of noise has come to, element by element: for each layer and head the mean
// and the standard deviation over rows and elements.
struct FittedGaussians {
  Intervention law;
  int64_t observed = 0;  // steps, or windows of a fixed set
  at::Tensor mean, std;  // [L,H] fp64
};

class InitialStatePolicy {
 public:
  // `zero` is the model's zero state of one row.
  InitialStatePolicy(const InterventionConfig& config, ModelState zero, uint64_t seed)
      : config_(config), zero_(std::move(zero)), seed_(seed) {}
  virtual ~InitialStatePolicy() = default;

  // The initial state of the step's B rows, outside any graph: gradients stop here. Each row is
  // then zeroed with P(zero state). Depends on nothing but the memory, the seed and the step.
  ModelState initial(int64_t batch, int64_t step);

  // A law without a memory leaves the rest as it is.
  // The windows of the step. Called after every update.
  virtual void observe(const Observation& /*windows*/) {}
  // Ascending positions in [0,context) after which it wants to see the statistics of the states.
  virtual std::vector<int64_t> stat_positions(int64_t /*context*/) const { return {}; }
  // Training windows that it wants to be shown by read() before initial(), as they come from the
  // zero state.
  virtual FixedSet fixed_set() const { return {}; }
  virtual void read(const Observation& /*windows*/) {}
  // Rows that do not continue their previous window (truncated BPTT at the end of the text).
  virtual void restart(const std::vector<uint8_t>& /*rows*/) {}
  virtual PolicyMemory memory() const { return {}; }
  // The memory of the same law, perhaps with other settings: what these make useless is left out.
  virtual void restore(const PolicyMemory& /*memory*/) {}
  // The memory that restore() was given was of a fit with other settings.
  virtual bool fitted_anew() const { return false; }
  // Nothing as long as nothing was observed.
  virtual std::optional<FittedGaussians> fitted() const { return std::nullopt; }

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
