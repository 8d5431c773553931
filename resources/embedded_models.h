// SPDX-License-Identifier: GPL-3.0-or-later
// The models that are linked into the programs: a few small ones that were trained from scratch,
// and beside each what post-training with an initial state made of it. Each is a folder here.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/interventions/intervention_config.h"

namespace farstate {

struct EmbeddedModel {
  std::string name;           // of its folder; what is given as MODEL
  std::string base;           // the model that it was post-trained from; empty: from scratch
  std::string text;           // the generated text that it reads, as in data.generated
  Intervention intervention;  // of its last training
};

// Bases in the order in which they are shown, each followed by its twins.
std::span<const EmbeddedModel> embedded_models();
const EmbeddedModel* find_embedded_model(std::string_view name);  // null: there is none
std::string embedded_model_names();  // "demo, register, …" for a sentence

}  // namespace farstate
