// SPDX-License-Identifier: GPL-3.0-or-later
// The laws of the initial state h_{-1} and their settings, as plain data.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <string>

namespace farstate {

// The first five are those of Buitrago Ruiz and Gu 2025 (arXiv:2507.02782), section 4; the others go
// beyond the paper. In the order of their keys 1 to 7.
enum class Intervention {
  kZero,
  kRandomNoise,
  kFittedNoise,
  kStatePassing,
  kTbtt,
  kCorrelatedNoise,
  kMixture
};
inline constexpr Intervention kInterventions[] = {
    Intervention::kZero,         Intervention::kRandomNoise, Intervention::kFittedNoise,
    Intervention::kStatePassing, Intervention::kTbtt,        Intervention::kCorrelatedNoise,
    Intervention::kMixture};
inline constexpr int kInterventionCount = std::size(kInterventions);

std::string to_string(Intervention intervention);  // "state-passing"
// Throws Error(kBadUsage) listing all.
Intervention intervention_from_string(const std::string& name);

struct InterventionConfig {
  Intervention kind = Intervention::kZero;
  double sigma = 1.0;             // random noise: one standard deviation for every layer and head
  double zero_probability = 0.1;  // P(a row starts from the zero state)
  bool pass_conv_context = true;  // state passing, TBTT: pass the last W-1 convolution inputs too
  // Fitted and correlated noise:
  double fitted_momentum = 0.99;      // of the running moments
  std::string fitted_from = "final";  // states that are fitted: "final", or "all" past the burn-in
  int64_t fitted_burn_in = 0;         // tokens of a window whose states "all" leaves out
  // Training windows, read from the zero state before the first step, that are fitted once and for
  // all; 0: every window that is trained on, as it comes.
  int64_t fitted_windows = 0;
  int64_t fitted_rank = 4;  // correlated noise: of the covariance beside its diagonal
  // Mixture: weight of each law by name, any sum above 0; every row draws its own law.
  std::map<std::string, double> mixture = {};
  bool operator==(const InterventionConfig&) const = default;
};

// A law that can be chosen by itself: the law, or one of the mixture's with a weight above 0.
bool draws_from(const InterventionConfig& config, Intervention law);
// Windows must go on where those of the step before ended.
inline bool continues_text(const InterventionConfig& config) {
  return draws_from(config, Intervention::kTbtt);
}

}  // namespace farstate
