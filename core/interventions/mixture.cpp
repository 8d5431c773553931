// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interventions/mixture.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/rng.h"

namespace farstate {

Mixture::Mixture(const InterventionConfig& config, ModelState zero, uint64_t seed)
    : InitialStatePolicy(config, std::move(zero), seed) {
  double sum = 0;
  for (const Intervention law : kInterventions) {
    if (law == Intervention::kMixture || !draws_from(config, law)) continue;
    InterventionConfig own = config;
    own.kind = law;
    own.zero_probability = 0;  // it acts once, on the mixture's rows
    sum += config.mixture.at(to_string(law));
    parts_.push_back({law, sum, make_policy(own, zero_, seed)});
  }
  if (parts_.empty()) {
    throw Error(ErrorKind::kBadUsage,
                "The mixture has no law; give at least one of them a weight above 0.");
  }
  for (Part& part : parts_) part.share /= sum;
}

std::vector<Intervention> Mixture::laws_of_rows(int64_t batch, int64_t step) const {
  Rng rng(seed_, RngStream::kLawOfRow, static_cast<uint64_t>(step));
  std::vector<Intervention> laws;
  for (int64_t row = 0; row < batch; ++row) {
    const double at = rng.uniform();
    const auto part = std::find_if(parts_.begin(), parts_.end() - 1,
                                   [at](const Part& p) { return at < p.share; });
    laws.push_back(part->law);
  }
  return laws;
}

ModelState Mixture::draw(int64_t batch, int64_t step) {
  const std::vector<Intervention> laws = laws_of_rows(batch, step);
  ModelState state = zeros(batch);
  for (const Part& part : parts_) {
    if (std::find(laws.begin(), laws.end(), part.law) == laws.end()) continue;
    const ModelState drawn = part.policy->initial(batch, step);
    for (int64_t row = 0; row < batch; ++row) {
      if (laws[static_cast<size_t>(row)] != part.law) continue;
      for (size_t i = 0; i < state.layers.size(); ++i) {
        state.layers[i].recurrent[row].copy_(drawn.layers[i].recurrent[row]);
        state.layers[i].context[row].copy_(drawn.layers[i].context[row]);
      }
    }
  }
  return state;
}

void Mixture::observe(const Observation& windows) {
  for (const Part& part : parts_) part.policy->observe(windows);
}

// All parts have the same settings, so those that want any want the same ones.
std::vector<int64_t> Mixture::stat_positions(int64_t context) const {
  for (const Part& part : parts_) {
    std::vector<int64_t> positions = part.policy->stat_positions(context);
    if (!positions.empty()) return positions;
  }
  return {};
}

FixedSet Mixture::fixed_set() const {
  for (const Part& part : parts_) {
    const FixedSet set = part.policy->fixed_set();
    if (!set.whole()) return set;
  }
  return {};
}

// A part that came to the mixture later is behind the others.
void Mixture::read(const Observation& windows) {
  const FixedSet wanted = fixed_set();
  for (const Part& part : parts_) {
    const FixedSet set = part.policy->fixed_set();
    if (!set.whole() && set.next == wanted.next) part.policy->read(windows);
  }
}

void Mixture::restart(const std::vector<uint8_t>& rows) {
  for (const Part& part : parts_) part.policy->restart(rows);
}

PolicyMemory Mixture::memory() const {
  PolicyMemory memory;
  for (const Part& part : parts_) {
    for (const auto& [name, tensor] : part.policy->memory()) {
      memory[to_string(part.law) + "." + name] = tensor;
    }
  }
  return memory;
}

// A law that is new in the mixture has no memory there, and begins anew.
void Mixture::restore(const PolicyMemory& memory) {
  for (const Part& part : parts_) {
    const std::string prefix = to_string(part.law) + ".";
    PolicyMemory own;
    for (const auto& [name, tensor] : memory) {
      if (name.starts_with(prefix)) own[name.substr(prefix.size())] = tensor;
    }
    if (!own.empty()) part.policy->restore(own);
  }
}

bool Mixture::fitted_anew() const {
  return std::any_of(parts_.begin(), parts_.end(),
                     [](const Part& part) { return part.policy->fitted_anew(); });
}

std::optional<FittedGaussians> Mixture::fitted() const {
  for (const Part& part : parts_) {
    if (auto fitted = part.policy->fitted()) return fitted;
  }
  return std::nullopt;
}

std::string Mixture::describe() const {
  std::string text = "mixture of";
  double before = 0;
  for (const Part& part : parts_) {
    text += fmt::format("{} {:.3g} {}", before > 0 ? "," : "", part.share - before,
                        to_string(part.law));
    before = part.share;
  }
  text += fmt::format(", P(zero) {}", config_.zero_probability);
  return fitted_anew() ? text + ", fitted anew" : text;
}

}  // namespace farstate
