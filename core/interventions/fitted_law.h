// SPDX-License-Identifier: GPL-3.0-or-later
// What laws that are fitted to the states of training have in common: which windows they are fitted
// to, and with what weight. Running: every step's windows as they come, the plain average of the
// steps until 1/(1 - momentum) of them, an exponential average from there on. Fixed: a set of
// windows that is read once, each with the same weight, and nothing after it. Before anything was
// observed rows start from zero.
#pragma once

#include "core/interventions/initial_state_policy.h"

namespace farstate {

class FittedLaw : public InitialStatePolicy {
 public:
  using InitialStatePolicy::InitialStatePolicy;
  void observe(const Observation& windows) final;
  std::vector<int64_t> stat_positions(int64_t context) const final;
  FixedSet fixed_set() const final { return {observed_, config_.fitted_windows}; }
  void read(const Observation& windows) final;
  PolicyMemory memory() const final;
  void restore(const PolicyMemory& memory) final;
  bool fitted_anew() const final { return anew_; }

 protected:
  // Makes the windows (1 - keep) of the fit, and what it was before `keep`.
  virtual void absorb(const Observation& windows, double keep) = 0;
  virtual void save_fit(PolicyMemory& memory) const = 0;
  // False: it is of other settings, and the fit is as it was.
  virtual bool restore_fit(const PolicyMemory& memory) = 0;

  bool fits_all_states() const { return config_.fitted_from == "all"; }
  std::string describe_fit() const;  // ", of final states, momentum 0.99, P(zero) 0.1"

  int64_t observed_ = 0;  // steps, or windows of the fixed set

 private:
  std::vector<int64_t> estimator() const;  // what the fit is of, as numbers

  bool anew_ = false;
};

// Positions [burn_in, context), or 64 of them, evenly spaced up to the last.
std::vector<int64_t> positions_past(int64_t burn_in, int64_t context);

}  // namespace farstate
