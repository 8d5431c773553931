// SPDX-License-Identifier: GPL-3.0-or-later
// The recipe: plain data that says everything a run depends on. The same recipe gives the same
// numbers in the window and in the terminal program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace farstate {

// The five laws of the initial state h_{-1} (Buitrago Ruiz and Gu 2025, section 4), in the order
// of their keys 1 to 5 in the window.
enum class Intervention { kZero, kRandomNoise, kFittedNoise, kStatePassing, kTbtt };
inline constexpr int kInterventionCount = 5;

std::string to_string(Intervention);                       // "state-passing"
Intervention intervention_from_string(const std::string&);  // throws Error(kBadUsage) listing them

struct InterventionConfig {
  Intervention kind = Intervention::kZero;
  double sigma = 1.0;             // random noise: one standard deviation for every layer and head
  double zero_probability = 0.1;  // P(a row starts from the zero state); ignored by zero
  bool pass_conv_context = true;  // state passing, TBTT: pass the last W-1 convolution inputs too
  double fitted_momentum = 0.99;  // fitted noise: of the running mean and second moment
  bool operator==(const InterventionConfig&) const = default;
};

struct ModelConfigSource {
  std::string model = "demo";  // "demo", a folder or a file inside it
  std::string init;            // instead: a config.json to initialise a new model from
  bool operator==(const ModelConfigSource&) const = default;
};

struct DataConfig {
  std::string path;         // a UTF-8 text file; empty: the generated demo text
  std::string tokens;       // instead: a .npy file of token ids, [S,N] or flat
  double held_out = 0.1;    // share of the text, at its end, that training never sees
  bool operator==(const DataConfig&) const = default;
};

struct TrainConfig {
  int64_t steps = 200;
  int64_t context = 64;  // T
  int64_t batch = 32;    // B
  double learning_rate = 5e-4;
  int64_t warmup = 10;
  std::string schedule = "constant";  // or "cosine", to a tenth of the rate
  double weight_decay = 0.1;  // not on A_log, dt_bias, D, norms and biases
  double beta1 = 0.9;
  double beta2 = 0.95;
  double clip = 1.0;          // of the global gradient norm; 0: none
  int64_t save_every = 100;   // steps between checkpoints of the run; 0: only at the end
  bool operator==(const TrainConfig&) const = default;
};

struct MeasureConfig {
  int64_t length = 4096;  // N tokens per sequence
  int64_t sequences = 8;  // S
  std::string part = "auto";  // "held-out", "train", "all"; auto: held-out if it is long enough
  std::vector<std::string> probes = {"perplexity", "state", "effrem"};
  bool per_position = false;
  int64_t bins_per_octave = 8;
  int64_t effrem_length = 0;  // T of EffRem_T(t); 0: as length, at most 8192
  int64_t effrem_points = 24;
  bool operator==(const MeasureConfig&) const = default;
};

struct RunConfig {
  ModelConfigSource model;
  DataConfig data;
  InterventionConfig intervention;
  TrainConfig train;
  MeasureConfig measure;
  uint64_t seed = 7;
  bool operator==(const RunConfig&) const = default;
};

// Throws Error(kBadUsage) naming the key, what was found and what is allowed.
void validate(const RunConfig&);

// JSON with every key written; reading rejects unknown keys and wrong types by name.
std::string to_json(const RunConfig&);
RunConfig run_config_from_json(const std::string& text);

// One line for a person: "demo T=64 state-passing seed=7".
std::string summary(const RunConfig&);

}  // namespace farstate
