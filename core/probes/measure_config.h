// SPDX-License-Identifier: GPL-3.0-or-later
// What is measured, on how much text.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace farstate {

inline constexpr int64_t kMostPins = 16;
inline constexpr const char* kProbeNames[] = {"perplexity", "state", "distribution", "dynamics",
                                             "effrem", "attention"};

struct MeasureConfig {
  int64_t length = 4096;      // N tokens per sequence
  int64_t sequences = 8;      // S
  std::string part = "auto";  // "held-out", "train", "all"; auto: held-out if it is long enough
  // Of kProbeNames.
  std::vector<std::string> probes = {"perplexity", "state", "effrem"};
  // Which tokens the tables and ratios of perplexity are about: "all", or "predictable", those that
  // can be known from what was read; generated texts say which.
  std::string scored = "all";
  bool per_position = false;     // keep every position's loss and the token ids
  int64_t bins_per_octave = 8;   // of the position axis
  // T of EffRem_T(t); 0: four times the context that the model was trained on, as in the paper, or
  // 8192 where that is not recorded; at most the length.
  int64_t effrem_length = 0;
  int64_t effrem_points = 24;    // values of t
  // Tokens read, after which "distribution" looks closely at the states; empty: the context that the
  // model was trained on, and the length.
  std::vector<int64_t> pins = {};
  // Of the first sequence, what this head attends to over its last tokens.
  int64_t attention_layer = 0;
  int64_t attention_head = 0;
  int64_t attention_window = 64;  // tokens
  bool operator==(const MeasureConfig&) const = default;

  bool wants(std::string_view probe) const {
    return std::find(probes.begin(), probes.end(), probe) != probes.end();
  }
  // Whether any probe asks for the common sweep; the others have forward passes of their own.
  bool sweeps() const {
    return std::any_of(probes.begin(), probes.end(), [](const std::string& probe) {
      return probe != "effrem" && probe != "attention";
    });
  }
};

// Raw states to be written beside a measurement; no part of a recipe, since no number depends on it.
struct StateDumpConfig {
  std::vector<int64_t> positions;  // indices of tokens, from 0: the state after each; empty: none
  std::string folder;
};

}  // namespace farstate
