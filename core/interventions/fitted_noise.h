// SPDX-License-Identifier: GPL-3.0-or-later
// Fitted noise: h_{-1} is IID Gaussian with one mean and one standard deviation per layer and
// head, fitted to the final states of training windows. The
// estimator is our choice: a running first and second moment: the plain average of the windows seen
// until 1/(1 - momentum) of them, an exponential average from there on. Before the first window
// there is nothing to fit, and rows start from zero.
#pragma once

#include "core/interventions/initial_state_policy.h"

namespace farstate {

class FittedNoise : public InitialStatePolicy {
 public:
  FittedNoise(const InterventionConfig& config, ModelState zero, uint64_t seed);
  void observe(const ModelState& final_state) override;
  PolicyMemory memory() const override;
  void restore(const PolicyMemory& memory) override;
  std::string describe() const override;

  at::Tensor mean() const { return first_; }  // [L,H] fp64
  at::Tensor std() const;                     // [L,H] fp64

 protected:
  ModelState draw(int64_t batch, int64_t step) override;

 private:
  at::Tensor first_;   // [L,H] fp64: running mean of h
  at::Tensor second_;  // [L,H] fp64: running mean of h^2
  int64_t observed_ = 0;
};

}  // namespace farstate
