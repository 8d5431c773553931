// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interventions/intervention_config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "core/base/error.h"

namespace farstate {
namespace {
constexpr std::array<const char*, kInterventionCount> kNames = {
    "zero", "random-noise",     "fitted-noise", "state-passing",
    "tbtt", "correlated-noise", "mixture"};
}

std::string to_string(Intervention intervention) {
  return kNames[static_cast<size_t>(intervention)];
}

Intervention intervention_from_string(const std::string& name) {
  const auto* found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) {
    throw Error(ErrorKind::kBadUsage,
                fmt::format("There is no intervention \"{}\"; choose one of {}.", name,
                            fmt::join(kNames, ", ")));
  }
  return static_cast<Intervention>(found - kNames.begin());
}

bool draws_from(const InterventionConfig& config, Intervention law) {
  if (config.kind != Intervention::kMixture) return config.kind == law;
  const auto weight = config.mixture.find(to_string(law));
  return weight != config.mixture.end() && weight->second > 0;
}

}  // namespace farstate
