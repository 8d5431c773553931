// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interventions/fitted_law.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/tensor.h>
#include <fmt/format.h>

#include <algorithm>

namespace farstate {

std::vector<int64_t> positions_past(int64_t burn_in, int64_t context) {
  constexpr int64_t kMost = 64;
  const int64_t there = std::max<int64_t>(context - burn_in, 0);
  const int64_t count = std::min(there, kMost);
  std::vector<int64_t> positions;
  for (int64_t i = 1; i <= count; ++i) positions.push_back(burn_in + i * there / count - 1);
  return positions;
}

void FittedLaw::observe(const Observation& windows) {
  if (config_.fitted_windows > 0) return;
  const at::NoGradGuard no_grad;
  const double average = static_cast<double>(observed_) / static_cast<double>(observed_ + 1);
  absorb(windows, std::min(config_.fitted_momentum, average));
  ++observed_;
}

void FittedLaw::read(const Observation& windows) {
  const at::NoGradGuard no_grad;
  const int64_t together = observed_ + windows.final_state.batch();
  absorb(windows, static_cast<double>(observed_) / static_cast<double>(together));
  observed_ = together;
}

std::vector<int64_t> FittedLaw::stat_positions(int64_t context) const {
  const bool fixed = config_.fitted_windows > 0;
  if (!fits_all_states() || (fixed && fixed_set().whole())) return {};
  return positions_past(config_.fitted_burn_in, context);
}

std::vector<int64_t> FittedLaw::estimator() const {
  return {fits_all_states() ? 1 : 0, fits_all_states() ? config_.fitted_burn_in : 0,
          config_.fitted_windows};
}

PolicyMemory FittedLaw::memory() const {
  PolicyMemory memory = {{"observed", at::tensor({observed_}, at::kLong)},
                         {"estimator", at::tensor(estimator(), at::kLong)}};
  save_fit(memory);
  return memory;
}

void FittedLaw::restore(const PolicyMemory& memory) {
  std::vector<int64_t> of = {0, 0, 0};  // where it is not written: final states, running
  if (const auto written = memory.find("estimator"); written != memory.end()) {
    const int64_t* values = written->second.data_ptr<int64_t>();
    of.assign(values, values + written->second.numel());
  }
  const auto observed = memory.at("observed").item<int64_t>();
  anew_ = observed > 0 && (of != estimator() || !restore_fit(memory));
  observed_ = anew_ ? 0 : observed;
}

std::string FittedLaw::describe_fit() const {
  std::string text = !fits_all_states()         ? ", of final states"
                     : config_.fitted_burn_in == 0
                         ? ", of all states"
                         : fmt::format(", of all states after {} tokens", config_.fitted_burn_in);
  text += config_.fitted_windows > 0 ? fmt::format(" of {} windows", config_.fitted_windows)
                                     : fmt::format(", momentum {}", config_.fitted_momentum);
  text += fmt::format(", P(zero) {}", config_.zero_probability);
  return anew_ ? text + ", fitted anew" : text;
}

}  // namespace farstate
