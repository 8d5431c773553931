// SPDX-License-Identifier: GPL-3.0-or-later
// One running text: a prompt is read and gone on with, token by token, and the state it leads to
// can be held and changed on the way. Everything is done in slices of time, so that whoever drives
// it stays in command; what a stop or an error ends has not happened, and may be done again.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "core/data/token_source.h"
#include "core/models/recurrent_lm.h"
#include "core/models/unroll.h"
#include "core/session/generation.h"
#include "core/session/next_token.h"
#include "core/state/held_state.h"
#include "core/tokenizer/tokenizer.h"

namespace farstate {

class Generator {
 public:
  // `start`: what the request's initial state stands for (initial_state()), its edits not yet made.
  // The model outlives the generator. Throws Error(kBadUsage) for settings that mean nothing,
  // Error(kBadInput) without a tokenizer that is this model's.
  Generator(const RecurrentLM& model, std::shared_ptr<const Tokenizer> tokenizer,
            GenerationRequest request, HeldState start);

  // Works for about `slice`, at least one token or one piece of the prompt; false: all is done.
  // Throws Error: kInterrupted on a stop, kBadInput for a prompt that can't be read, kBadUsage for
  // an empty one, kDiverged for predictions or states that are not finite.
  bool advance(std::chrono::milliseconds slice);
  // sampling.tokens more than there are. The random numbers go on unless the seed is another one.
  void go_on(const SamplingConfig& sampling);

  // Changes the state that the next token is read from. Where none is left to read, the last one is
  // read again after the edit, so that the prediction is one of the changed state.
  void edit(const std::vector<StateEdit>& edits);

  // After `position` tokens of this text, equal to the bit to a text that ended there; negative:
  // now. An earlier one is read again from the nearest snapshot.
  HeldState state_at(int64_t position) const;
  std::string origin(int64_t position) const;  // in words, for KeptState

  std::vector<GeneratedToken> take_tokens();  // those since the last call
  // Of Generation what one text knows: not the id, not what is kept, and never kHeld.
  Generation picture() const;
  bool began() const { return open_; }
  bool reading() const { return !open_ || read_ < prompt_->size(); }
  double progress() const;  // of the prompt, then of what is to be generated; negative: unknown
  std::string unfinished_character() const;  // U+FFFD if the text ends within one, else empty

 private:
  struct Snapshot {
    int64_t read = 0;
    HeldState held;
    bool fixed = false;  // the start, or an edit: can't be made again from an earlier one
  };

  void check(const SamplingConfig& sampling) const;
  void open_prompt();
  void change(const std::vector<StateEdit>& edits);
  int64_t generated() const { return static_cast<int64_t>(generated_.size()); }
  bool finished() const;
  TokenRows prompt_rows() const;
  int64_t token_at(int64_t index) const;

  void read_segment();
  void generate_token();
  bool wait_for_turn(std::chrono::steady_clock::time_point until) const;
  void read_token(int64_t id, double loss, bool prompt);
  NextTokenDistribution predict(const at::Tensor& hidden, int64_t read) const;
  void emit(int64_t id, double loss, bool prompt, std::vector<float> norms);
  void take_snapshot();
  void fix_snapshot();
  std::vector<NextToken> shown(const NextTokenDistribution& next) const;

  const RecurrentLM& model_;
  std::shared_ptr<const Tokenizer> tokenizer_;
  GenerationRequest request_;
  std::shared_ptr<const TokenSource> prompt_;
  bool open_ = false;  // the prompt is there, and the initial state as the request has it
  std::vector<int64_t> norm_positions_;        // of the prompt
  int64_t segment_;

  HeldState now_;
  ModelState spare_;  // memory for the next state: a step that is stopped leaves `now_` alone
  std::optional<int64_t> start_position_;
  int64_t read_ = 0;  // tokens of this text
  std::vector<int32_t> generated_;
  int64_t target_ = 0;  // of generated tokens
  int64_t went_on_at_ = 0;  // the same, when more were asked for
  Rng rng_;
  TextDecoder decoder_;
  std::optional<NextTokenDistribution> next_;
  std::optional<NextTokenDistribution> before_edit_;
  std::vector<int64_t> edited_at_;
  std::vector<Snapshot> snapshots_;  // by `read`; the last one of equal places counts
  int64_t snapshot_stride_;
  size_t most_snapshots_;
  std::chrono::steady_clock::time_point next_turn_{};
  std::vector<GeneratedToken> fresh_;
};

// Indices of tokens after which norms are taken: all of a short prompt; of a long one about 512,
// half of them evenly spread and half denser towards the beginning, where a state changes most.
std::vector<int64_t> norm_positions(int64_t length);

}  // namespace farstate
