// SPDX-License-Identifier: GPL-3.0-or-later
// A register: keys whose values change. An event names a key, drawn uniformly, and says its value,
// which has just changed with some probability:
//    lamp red door blue lamp red door green
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/rng.h"
#include "core/data/generated_text.h"

namespace farstate {

// Each with the space before it.
std::span<const char* const> register_keys();
std::span<const char* const> register_values();

struct RegisterEvent {
  size_t key = 0, value = 0;
  bool known = false;  // the key was named before, and its value has not just changed
};

class RegisterEvents {
 public:
  // The first `keys` of the keys.
  RegisterEvents(int64_t keys, double change_probability, Rng& numbers);
  RegisterEvent next();

 private:
  double change_probability_;
  Rng& numbers_;
  std::vector<int64_t> values_;  // by key; -1: not named yet
};

// One endless register of 32 keys, of which values change with probability 0.05, up to the last
// event that `bytes` have room for. A shorter text is a prefix of a longer one of the same seed.
GeneratedText register_text(uint64_t seed, int64_t bytes);

}  // namespace farstate
