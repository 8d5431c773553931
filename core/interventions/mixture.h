// SPDX-License-Identifier: GPL-3.0-or-later
// A mixture of laws with weights: every row of every step draws its law. Each law keeps a memory of
// its own and sees all windows, so that it is what it would be alone.
#pragma once

#include "core/interventions/initial_state_policy.h"

namespace farstate {

class Mixture : public InitialStatePolicy {
 public:
  Mixture(const InterventionConfig& config, ModelState zero, uint64_t seed);
  void observe(const Observation& windows) override;
  std::vector<int64_t> stat_positions(int64_t context) const override;
  FixedSet fixed_set() const override;
  void read(const Observation& windows) override;
  void restart(const std::vector<uint8_t>& rows) override;
  PolicyMemory memory() const override;
  void restore(const PolicyMemory& memory) override;
  bool fitted_anew() const override;
  std::optional<FittedGaussians> fitted() const override;
  std::string describe() const override;

  // [B] the law of each row of the step, before P(zero state).
  std::vector<Intervention> laws_of_rows(int64_t batch, int64_t step) const;

 protected:
  ModelState draw(int64_t batch, int64_t step) override;

 private:
  struct Part {
    Intervention law;
    double share;  // of the rows, up to this part and with it
    std::unique_ptr<InitialStatePolicy> policy;
  };
  std::vector<Part> parts_;  // in the order of the laws
};

}  // namespace farstate
