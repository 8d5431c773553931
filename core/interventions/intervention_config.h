// SPDX-License-Identifier: GPL-3.0-or-later
// The five laws of the initial state h_{-1} and their settings, as plain data.
#pragma once

#include <iterator>
#include <string>

namespace farstate {

// Buitrago Ruiz and Gu 2025 (arXiv:2507.02782), section 4; in the order of their keys 1 to 5.
enum class Intervention { kZero, kRandomNoise, kFittedNoise, kStatePassing, kTbtt };
inline constexpr Intervention kInterventions[] = {
    Intervention::kZero, Intervention::kRandomNoise, Intervention::kFittedNoise,
    Intervention::kStatePassing, Intervention::kTbtt};
inline constexpr int kInterventionCount = std::size(kInterventions);

std::string to_string(Intervention intervention);  // "state-passing"
// Throws Error(kBadUsage) listing the five.
Intervention intervention_from_string(const std::string& name);

struct InterventionConfig {
  Intervention kind = Intervention::kZero;
  double sigma = 1.0;             // random noise: one standard deviation for every layer and head
  double zero_probability = 0.1;  // P(a row starts from the zero state)
  bool pass_conv_context = true;  // state passing, TBTT: pass the last W-1 convolution inputs too
  double fitted_momentum = 0.99;  // fitted noise: of the running mean and second moment
  bool operator==(const InterventionConfig&) const = default;
};

}  // namespace farstate
