// SPDX-License-Identifier: GPL-3.0-or-later
// Random noise: h_{-1} is IID N(0, sigma^2) with one sigma for every layer and head. The
// default of 1 is our choice: the paper's base states have a standard deviation of 1.0 to 1.35
// within T.
#pragma once

#include "core/interventions/initial_state_policy.h"

namespace farstate {

class RandomNoise : public InitialStatePolicy {
 public:
  using InitialStatePolicy::InitialStatePolicy;
  std::string describe() const override;

 protected:
  ModelState draw(int64_t batch, int64_t step) override;
};

}  // namespace farstate
