// SPDX-License-Identifier: GPL-3.0-or-later
// State passing: row b starts from the state in which row b of the previous batch ended. Gradients
// stop at the passed state. With windows that continue one another this is truncated BPTT.
//
// A carried state is the SSM state and the last W-1 convolution inputs. The paper's listing seems
// to pass the SSM state alone; then the empty context marks a window's start, and the model can
// learn to reset on that mark, which a long text never shows.
#pragma once

#include "core/interventions/initial_state_policy.h"

namespace farstate {

class StatePassing : public InitialStatePolicy {
 public:
  using InitialStatePolicy::InitialStatePolicy;
  void observe(const Observation& windows) override;
  void restart(const std::vector<uint8_t>& rows) override;
  PolicyMemory memory() const override;
  void restore(const PolicyMemory& memory) override;
  std::string describe() const override;

 protected:
  ModelState draw(int64_t batch, int64_t step) override;

 private:
  ModelState carried_;  // empty before the first window
};

}  // namespace farstate
