// SPDX-License-Identifier: GPL-3.0-or-later
// Zero state: h_{-1} = 0, how models are trained; as a post-training, the control of the others.
#pragma once

#include "core/interventions/initial_state_policy.h"

namespace farstate {

class ZeroState : public InitialStatePolicy {
 public:
  using InitialStatePolicy::InitialStatePolicy;
  std::string describe() const override { return "zero state"; }

 protected:
  ModelState draw(int64_t batch, int64_t) override { return zeros(batch); }
};

}  // namespace farstate
