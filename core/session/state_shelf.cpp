// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/state_shelf.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/base/error.h"
#include "core/checkpoint/state_files.h"
#include "core/interventions/initial_state_policy.h"

namespace farstate {
namespace {

double norm_of(const ModelState& state) {
  double squares = 0;
  for (const LayerState& layer : state.layers) {
    squares += layer.recurrent.to(at::kDouble).square().sum().item<double>();
  }
  return std::sqrt(squares);
}

// A kept state may be older than the model that is open now.
void check_fits(const HeldState& held, const RecurrentLM& model, const std::string& name) {
  const ModelState wanted = model.zero_state(1);
  bool fits = held.state.layers.size() == wanted.layers.size();
  for (size_t i = 0; fits && i < wanted.layers.size(); ++i) {
    fits = held.state.layers[i].recurrent.sizes() == wanted.layers[i].recurrent.sizes() &&
           held.state.layers[i].context.sizes() == wanted.layers[i].context.sizes();
  }
  if (fits) return;
  throw Error(ErrorKind::kBadUsage,
              fmt::format("The kept state \"{}\" is of a model of another shape.", name));
}

HeldState random_noise(double sigma, uint64_t seed, const RecurrentLM& model) {
  if (!std::isfinite(sigma) || sigma < 0) {
    throw Error(ErrorKind::kBadUsage,
                fmt::format("sigma is {}; it must be a finite number from 0.", sigma));
  }
  InterventionConfig noise;
  noise.kind = Intervention::kRandomNoise;
  noise.sigma = sigma;
  noise.zero_probability = 0;
  HeldState held;
  held.state = make_policy(noise, model.zero_state(1), seed)->initial(1, 0);
  held.position = 0;
  return held;
}

}  // namespace

void StateShelf::keep(const std::string& name, HeldState held, const std::string& origin) {
  const double norm = norm_of(held.state);
  Kept kept{{name, origin, held.position.value_or(0), norm}, std::move(held)};
  drop(name);
  kept_.push_back(std::move(kept));
}

void StateShelf::drop(const std::string& name) {
  std::erase_if(kept_, [&](const Kept& kept) { return kept.shown.name == name; });
}

const HeldState& StateShelf::at(const std::string& name) const {
  const auto found = std::find_if(kept_.begin(), kept_.end(),
                                  [&](const Kept& kept) { return kept.shown.name == name; });
  if (found != kept_.end()) return found->held;
  throw Error(ErrorKind::kBadUsage, fmt::format("No state is kept under the name \"{}\".", name));
}

std::vector<KeptState> StateShelf::list() const {
  std::vector<KeptState> shown;
  for (const Kept& kept : kept_) shown.push_back(kept.shown);
  return shown;
}

void StateShelf::forget_predictions() {
  for (Kept& kept : kept_) kept.held.forget_prediction();
}

HeldState initial_state(const GenerationRequest& request, const RecurrentLM& model,
                        const StateShelf& shelf) {
  const InitialState& initial = request.initial;
  HeldState held;
  switch (initial.kind) {
    case InitialState::Kind::kZero:
      held.state = model.zero_state(1);
      held.position = 0;
      return held;
    case InitialState::Kind::kRandomNoise:
      return random_noise(initial.sigma, request.sampling.seed, model);
    case InitialState::Kind::kKept:
      check_fits(shelf.at(initial.name), model, initial.name);
      return shelf.at(initial.name).clone();
    case InitialState::Kind::kFile:
      return load_state(initial.name, model);
  }
  return held;
}

std::string in_words(const InitialState& initial) {
  switch (initial.kind) {
    case InitialState::Kind::kZero: return "";
    case InitialState::Kind::kRandomNoise: return fmt::format("random noise, sigma {}", initial.sigma);
    case InitialState::Kind::kKept: return fmt::format("the kept state \"{}\"", initial.name);
    case InitialState::Kind::kFile:
      return fmt::format("the file {}", std::filesystem::path(initial.name).filename().string());
  }
  return "";
}

}  // namespace farstate
