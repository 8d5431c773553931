// SPDX-License-Identifier: GPL-3.0-or-later
// A close look at the states at a few positions: how the elements of every head are distributed
// there and in training, which law they follow, and what a head attends to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/results/model_report.h"

namespace farstate {

struct HeadIndex {
  int64_t layer = 0;
  int64_t head = 0;
  auto operator<=>(const HeadIndex&) const = default;
};

// The elements of one head's state at one position, all sequences together.
struct ElementDistribution {
  int64_t position = 0;  // tokens read; 0: training, the positions of StateReport::training
  int64_t states = 0;    // matrices h that the elements come from
  int64_t counted = 0;   // elements that the numbers rest on; fewer than there are: thinned
  double mean = 0, std = 0, skewness = 0, excess_kurtosis = 0;
  double smallest = 0, largest = 0;
  double norm = 0;       // Frobenius norm of h, mean over states
  std::vector<int64_t> counts;    // of the bins between HeadReport::edges
  int64_t below = 0, above = 0;   // what the edges leave out
  std::vector<double> quantiles;  // of the elements, at StateReport::normal_quantiles
  double effective_rank = 0;            // mean over states
  std::vector<double> singular_values;  // the leading ones, descending, mean over states
  // To the elements in training, and to h at T; NaN where there is nothing to compare with.
  double ks_distance = 0;
  double wasserstein = 0;
  double cosine = 0;
};

// Which noise could stand in for a head's states; docs/METHODS.md, "The law of the states".
struct HeadLawReport {
  int64_t position = 0;
  int64_t states = 0;
  std::string law;       // "variance-per-head", "gaussian-per-element", "not-gaussian", "dependent"
  std::string sentence;
  std::vector<double> spectrum;           // of the elements' correlation: shares, descending, sum 1
  std::vector<double> shuffled_spectrum;  // of independent elements, as many of both
  int64_t components = 0;                 // whose share is leading_share
  double leading_share = 0, shuffled_leading_share = 0;
  double rank = 0, shuffled_rank = 0;     // effective rank of one state
  double row_correlation = 0, column_correlation = 0, other_correlation = 0;  // RMS over pairs
  // Correlation of elements, from -1 to 1, row by row: side x side of them, evenly spread over h
  // row by row.
  int64_t side = 0;
  std::vector<float> correlation;
};

// What a law of noise takes the elements of a head's initial state for, once it is fitted; of
// correlated noise without their dependence.
struct FittedGaussian {
  std::string law;       // "fitted-noise", "correlated-noise"
  int64_t observed = 0;  // steps, or windows of a fixed set, that it is fitted to
  double mean = 0, std = 0;
};

struct HeadReport {
  HeadIndex index;
  std::vector<double> edges;  // of the bins, shared by all positions
  std::optional<ElementDistribution> training;
  std::vector<ElementDistribution> at;  // one per StateReport::positions
  std::optional<HeadLawReport> law;     // of the heads that it was looked for
  std::optional<FittedGaussian> fitted;  // of a model that was trained with such a law
};

// The tokens around a position of one sequence.
struct TextAround {
  int64_t position = 0;  // tokens read: the token before it is tokens[position - 1 - first]
  int64_t first = 0;     // index in the sequence of tokens[0]
  std::vector<TokenPreview> tokens;
};

// Mamba-2's hidden attention (Dao and Gu 2024, arXiv:2405.21060, section 5): what a head writes at
// token i is  sum_j M[i][j] x_j  over the tokens j of the window up to i, and what it kept of all
// before. And which tokens the model's prediction after the window leans on.
struct AttentionReport {
  HeadIndex index;
  int64_t first = 0;                 // index in the sequence of the window's first token
  std::vector<TokenPreview> tokens;  // n
  std::vector<float> weights;        // M [n][n], row by row, 0 above the diagonal
  std::vector<float> from_before;    // [n] share of |y_i| that comes from the state before the window
  // [n] gradient times input of the log-probability of `predicted`, in nats, per token; empty: the
  // model's matrices are in bfloat16 and have no gradients.
  std::vector<float> leaning;
  TokenPreview predicted;            // the most likely token after the window
  double probability = 0;            // of it
};

struct StateReport {
  uint64_t epoch = 0;
  uint64_t question = 0;  // number of the question that it answers
  int64_t step = 0;       // optimizer steps done by the model that was looked into
  std::string recipe;     // JSON
  int64_t sequences = 0;
  std::vector<int64_t> positions;        // tokens read, as asked
  std::vector<int64_t> training;         // positions whose states are "training"; empty: none
  std::vector<double> normal_quantiles;  // of the standard Gaussian: x of the QQ plots
  std::vector<HeadReport> heads;         // [L*H], by layer, then head
  std::string law;                       // in words, of the heads together; empty: not looked for
  std::vector<TextAround> text;          // one per position
  std::optional<AttentionReport> attention;
  std::vector<std::string> notes;        // in words: what was thinned, what is missing
};

}  // namespace farstate
