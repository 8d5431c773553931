// SPDX-License-Identifier: GPL-3.0-or-later
// Inference that can be watched: a text is read and gone on with, token by token, from a state that
// can be kept, changed and started from. Plain data, for jobs.h and runner.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/results/state_report.h"

namespace farstate {

struct SamplingConfig {
  int64_t tokens = 200;      // to generate
  double temperature = 1.0;  // 0: the most likely token
  double top_p = 1.0;        // mass of the tokens to draw from
  uint64_t seed = 7;
  double tokens_per_second = 0;  // at most; 0: as fast as it goes
  bool operator==(const SamplingConfig&) const = default;
};

// A change to the recurrent state h of some heads; the convolution's context stays.
struct StateEdit {
  enum class Kind { kScale, kZero, kNoise };
  Kind kind = Kind::kScale;
  double amount = 1;             // kScale: the factor; kNoise: standard deviations of the head's h
  std::vector<HeadIndex> heads;  // empty: all
  uint64_t seed = 7;             // of kNoise
  bool operator==(const StateEdit&) const = default;
};

// What a text is read from.
struct InitialState {
  enum class Kind { kZero, kRandomNoise, kKept, kFile };
  Kind kind = Kind::kZero;
  double sigma = 1;   // of kRandomNoise
  std::string name;   // of kKept, or the path of kFile
  std::vector<StateEdit> edits;  // applied one after another before the first token
  bool operator==(const InitialState&) const = default;
};

struct GenerationRequest {
  std::string prompt;       // UTF-8; may be empty only where the initial state comes from a text
  std::string prompt_file;  // instead: a text of any length
  InitialState initial;
  SamplingConfig sampling;
  bool operator==(const GenerationRequest&) const = default;
};

struct GeneratedToken {
  int64_t index = 0;  // in the text, from 0
  int64_t id = 0;
  std::string text;   // whole characters; a token that ends inside one is empty, the next has it
  double loss = 0;    // nats, given all before; NaN: the first of a text, which nothing predicted
  bool prompt = false;
  std::vector<float> norms;  // [L*H] of h after this token; empty: not taken (long prompts)
};

struct NextToken {
  int64_t id = 0;
  std::string text;
  double probability = 0;
};

struct KeptState {
  std::string name;
  std::string origin;   // in words: "after 120 tokens of …", "file x.safetensors"
  int64_t position = 0;  // tokens that were read into it; 0: not known
  double norm = 0;       // of all recurrent states together
};

// One picture of the generation.
struct Generation {
  enum class Stage { kNone, kReading, kGenerating, kHeld, kDone };
  uint64_t id = 0;  // a new one with every request
  Stage stage = Stage::kNone;
  GenerationRequest request;
  int64_t prompt_tokens = 0;  // 0: not known yet
  int64_t read = 0;           // tokens read so far, generated ones too
  std::vector<NextToken> next;         // most likely first
  double entropy = 0;                  // of the whole distribution, nats
  // After an edit: what was predicted before it, until the next token.
  std::vector<NextToken> before_edit;
  double edit_divergence = 0;          // KL(before || after), nats
  std::vector<KeptState> kept;
  std::string problem;                 // why it ended early, as a sentence; empty: it did not
};

// The text grows by itself.
inline bool is_running(Generation::Stage stage) {
  return stage == Generation::Stage::kReading || stage == Generation::Stage::kGenerating;
}

}  // namespace farstate
