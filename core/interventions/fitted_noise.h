// SPDX-License-Identifier: GPL-3.0-or-later
// Fitted noise: h_{-1} is IID Gaussian with one mean and one standard deviation per layer and head,
// those of the states of training windows over rows and elements.
#pragma once

#include "core/interventions/fitted_law.h"

namespace farstate {

class FittedNoise : public FittedLaw {
 public:
  FittedNoise(const InterventionConfig& config, ModelState zero, uint64_t seed);
  std::optional<FittedGaussians> fitted() const override;
  std::string describe() const override { return "fitted noise" + describe_fit(); }

  at::Tensor mean() const { return first_; }  // [L,H] fp64
  at::Tensor std() const;                     // [L,H] fp64

 protected:
  ModelState draw(int64_t batch, int64_t step) override;
  void absorb(const Observation& windows, double keep) override;
  void save_fit(PolicyMemory& memory) const override;
  bool restore_fit(const PolicyMemory& memory) override;

 private:
  at::Tensor first_;   // [L,H] fp64: mean of h
  at::Tensor second_;  // [L,H] fp64: mean of h^2
};

}  // namespace farstate
