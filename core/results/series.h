// SPDX-License-Identifier: GPL-3.0-or-later
// What every probe returns and every plot takes: plain arrays with their names and units.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace farstate {

struct Series {
  // "perplexity", "loss", "predictable_perplexity", "predictable_loss", "state_norm", "state_mean", "state_std", "state_rms", "state_max",
  // "state_drift", "model_state_std", "ks_distance", "wasserstein", "effective_rank",
  // "state_cosine", "state_skewness", "state_kurtosis", "dt_mean", "decay_mean", "half_life",
  // "write_share", "effrem", "effrem_q10", "effrem_q50", "effrem_q90", "effrem_js", "effrem_kl",
  // "effrem_agreement", "train_loss", "tokens_per_second"
  std::string name;
  std::string x_name;  // "position", "dropped_tokens", "step"
  std::string unit;    // of y: "perplexity", "nats", "total variation", "share", "tokens", "1", …
  std::vector<double> x;
  std::vector<double> y;
  // 95 % interval of the mean over sequences; empty for one sequence, and for quantiles.
  std::vector<double> lower;
  std::vector<double> upper;
  std::vector<int64_t> bin_begin;  // for binned x: the positions [bin_begin, bin_end) of a value
  std::vector<int64_t> bin_end;
  std::optional<int64_t> layer;
  std::optional<int64_t> head;
  int64_t sequences = 0;
};

// Of the tokens alone that can be known from what was read.
inline constexpr const char* kPredictablePerplexity = "predictable_perplexity";

// The name of the perplexity over the tokens that "measure.scored" names.
inline std::string perplexity_name(const std::string& scored) {
  return scored == "predictable" ? kPredictablePerplexity : "perplexity";
}

// The series of that name without layer and head; null: none.
const Series* find_series(const std::vector<Series>& all, const std::string& name);

// The sample whose bin holds the position (the last bin: or ends at it), or, without bins, that
// lies within 10 % of it.
std::optional<size_t> sample_at(const Series& series, double position);

// The sample nearest to x, by ratio where `log` (x > 0), else by distance; x is sorted.
std::optional<size_t> nearest_sample(const std::vector<double>& xs, double x, bool log);

}  // namespace farstate
