// SPDX-License-Identifier: GPL-3.0-or-later
// A text as one stream of token ids, split into a training part and a held-out part, and the two
// ways to draw training windows from it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/rng.h"
#include "core/data/data_config.h"
#include "core/data/token_source.h"
#include "core/tokenizer/tokenizer.h"

namespace farstate {

struct Corpus {
  std::string name;  // in messages: the path, or "the generated text"
  std::shared_ptr<const TokenSource> tokens;
  int64_t train_end = 0;  // training reads [0, train_end), measuring [train_end, size)
  // Ascending; windows and sequences begin at one of them. Empty: they begin anywhere.
  std::vector<int64_t> document_starts;
  // By token, 1: training counts its loss where it is predicted. Empty: of all tokens.
  std::vector<uint8_t> counted;
  // By token: how many tokens before it begins the word that it can be known from, 0: it can't be
  // known. Null: the text does not say.
  std::shared_ptr<const std::vector<int32_t>> evidence;
  int64_t rows = 0;     // of a [S,N] array of ids; 0 for any other text
  bool is_text = true;  // tokens of a text, not ids from a .npy file
  std::vector<std::string> notes;  // in words, what the reader of a result must know
};

// Opens what the recipe names; every token id is below the vocabulary V. A text needs the model's
// tokenizer, null if it has none. Bytes are read where they lie; other tokens are made once and kept
// (core/data/tokenised_text.h). A stop throws.
// Throws Error(kBadInput) for a missing or empty file, for one that is no text (with byte tokens:
// whose bytes are not all UTF-8), without the tokenizer, and for an id outside [0, V).
Corpus load_corpus(const DataConfig& config, int64_t vocabulary,
                   const std::shared_ptr<const Tokenizer>& tokenizer,
                   const ProgressSink& progress = {});

// Keeps the last `share` of the text for measuring, from the start of a document on.
void hold_out(Corpus& corpus, double share);

// Throws Error(kBadInput) if the tokenizer is null, or has ids that the model has not. `what` is
// what is to be read, in words.
void check_tokenizer(const Tokenizer* tokenizer, int64_t vocabulary, const std::string& what);

// Throws Error(kBadInput) when the training part is shorter than one window of `context` + 1 tokens.
void check_window(const Corpus& corpus, int64_t context);

// Training windows of `context` + 1 tokens for one step, out [B,context+1]: independent draws
// from the training part, as zero state, noise and state passing see them. Where it is not empty,
// `counted` [B,context] is 1 for each target, the token after a position, whose loss counts.
// Throws Error(kBadInput) when the training part is shorter than one window.
void draw_windows(const Corpus& corpus, uint64_t seed, int64_t step, int64_t batch,
                  int64_t context, std::span<int64_t> out, std::span<uint8_t> counted = {},
                  RngStream stream = RngStream::kBatch);

// The same for truncated BPTT: row b at step k+1 continues where row b at step k ended. Rows
// start evenly spaced over the training part and begin again at its start when they reach its
// end; restarts [B] is 1 for a row that does not continue its previous window, else 0.
void draw_lanes(const Corpus& corpus, int64_t step, int64_t batch, int64_t context,
                std::span<int64_t> out, std::span<uint8_t> restarts,
                std::span<uint8_t> counted = {});

// Where the sequences of a measurement lie in their text; their ids are read when they are wanted.
struct Sequences {
  std::shared_ptr<const TokenSource> tokens;
  std::vector<int64_t> begins;  // S, in `tokens`
  int64_t count = 0;            // S
  int64_t length = 0;           // N
  std::string part;  // "held-out", "train" or "all": what "auto" was resolved to
  std::vector<std::string> notes;  // in words, what the reader of the result must know

  std::shared_ptr<const std::vector<int32_t>> evidence;  // of `tokens`, as in Corpus

  // For each token of sequence s from index `begin` on: 1 if it can be known from those before it in
  // the sequence. Only where the text says which can.
  void predictable(int64_t s, int64_t begin, std::span<uint8_t> out) const;

  // Positions [begin, begin + out.size()) of sequence s.
  void read(int64_t s, int64_t begin, std::span<int64_t> out) const;
};

// `count` sequences of `length` tokens, evenly spaced over the part, so that every arm and every
// step of a run is measured on the same text. 0 takes what a .npy file holds. Part "auto" is
// the held-out part if it is long enough for one sequence, else the whole text, with a note; of a
// .npy file, which is usually made for measuring, all.
// Throws Error(kBadInput) when the part is shorter than one sequence.
Sequences measure_sequences(const Corpus& corpus, int64_t count, int64_t length,
                            const std::string& part);

}  // namespace farstate
