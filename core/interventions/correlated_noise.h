// SPDX-License-Identifier: GPL-3.0-or-later
// Correlated noise: per layer and head h_{-1} is a Gaussian over the M = P N elements, with a mean
// for each, and a covariance of low rank beside its diagonal:
//   h = mean + sum_k z_k f_k + sqrt(d) * eps,   z and eps standard normal.
// The factors f_k are the leading principal directions of final states times the standard deviation
// along them, by incremental PCA with forgetting; d is what an element's variance has beyond them.
// docs/METHODS.md has the derivation.
#pragma once

#include "core/interventions/fitted_law.h"

namespace farstate {

class CorrelatedNoise : public FittedLaw {
 public:
  CorrelatedNoise(const InterventionConfig& config, ModelState zero, uint64_t seed);
  std::optional<FittedGaussians> fitted() const override;
  std::string describe() const override;

  // Of one layer, fp32: r + 2 numbers per element of the state.
  struct Fit {
    at::Tensor mean;      // [H,M]
    at::Tensor variance;  // [H,M], all of it: d and the factors' share
    at::Tensor factors;   // [H,r,M], the strongest first
  };
  const std::vector<Fit>& fits() const { return fits_; }  // [L]

 protected:
  ModelState draw(int64_t batch, int64_t step) override;
  void absorb(const Observation& windows, double keep) override;
  void save_fit(PolicyMemory& memory) const override;
  bool restore_fit(const PolicyMemory& memory) override;

 private:
  std::vector<Fit> fits_;
};

}  // namespace farstate
