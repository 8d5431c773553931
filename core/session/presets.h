// SPDX-License-Identifier: GPL-3.0-or-later
// Settings by name, each value with how well it is known. Plain data.
#pragma once

#include <string>
#include <vector>

#include "core/session/run_config.h"

namespace farstate {

struct PresetValue {
  std::string key;    // "train.learning_rate", as the recipe's JSON has it
  std::string value;  // JSON
  // "stated" by the paper or its authors, "inferred" from what they state, "second-hand" by others
  // who read it, "unknown": our choice.
  std::string known;
  std::string source;  // in words: where from, or why this choice
};

struct Preset {
  std::string name;   // "paper-mamba2-370m"
  std::string title;  // for a person
  std::string about;  // what it stands for, in a sentence
  std::vector<PresetValue> values;
};

const std::vector<Preset>& presets();
// Throws Error(kBadUsage) listing the names.
const Preset& preset(const std::string& name);

RunConfig with_preset(const RunConfig& config, const Preset& preset);

}  // namespace farstate
