// SPDX-License-Identifier: GPL-3.0-or-later
#include "resources/embedded_models.h"

#include <algorithm>

namespace farstate {

std::span<const EmbeddedModel> embedded_models() {
  using enum Intervention;
  static const EmbeddedModel kModels[] = {
      {"demo", "", "facts", kZero},
      {"demo-control", "demo", "facts", kZero},
      {"demo-random-noise", "demo", "facts", kRandomNoise},
      {"demo-fitted-noise", "demo", "facts", kFittedNoise},
      {"demo-state-passing", "demo", "facts", kStatePassing},
      {"demo-tbtt", "demo", "facts", kTbtt},
      {"register", "", "register", kZero},
      {"register-tbtt", "register", "register", kTbtt},
      {"english", "", "english", kZero},
      {"english-state-passing", "english", "english", kStatePassing},
      {"english-control", "english", "english", kZero},
  };
  return kModels;
}

const EmbeddedModel* find_embedded_model(std::string_view name) {
  const std::span<const EmbeddedModel> models = embedded_models();
  const auto found = std::ranges::find(models, name, &EmbeddedModel::name);
  return found == models.end() ? nullptr : &*found;
}

std::string embedded_model_names() {
  std::string names;
  for (const EmbeddedModel& model : embedded_models()) {
    names += (names.empty() ? "" : ", ") + model.name;
  }
  return names;
}

}  // namespace farstate
