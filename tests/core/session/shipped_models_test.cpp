// SPDX-License-Identifier: GPL-3.0-or-later
// The short form of the gates of the register and of English: what the shipped models are there to
// show, on a few held-out sequences (docs/DEMO.md has the long form).
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "core/session/jobs.h"

namespace farstate {
namespace {

constexpr int64_t kT = 64;  // that the models were trained on

Results measured(const std::string& model) {
  RunConfig config;
  config.model.model = model;
  config.measure.length = 16 * kT;
  config.measure.sequences = 16;
  config.measure.probes = {"perplexity", "state"};
  return measure(config, {}).results;
}

// Mean of a loss over the bins that lie in [begin, end).
double mean_over(const Results& results, const std::string& name, int64_t begin, int64_t end) {
  const Series* series = find_series(results.series, name);
  if (series == nullptr) return std::nan("");
  double sum = 0, weight = 0;
  for (size_t i = 0; i < series->y.size(); ++i) {
    if (series->bin_begin[i] < begin || series->bin_end[i] > end) continue;
    const auto size = static_cast<double>(series->bin_end[i] - series->bin_begin[i]);
    sum += size * series->y[i];
    weight += size;
  }
  return sum / weight;
}

struct Losses {
  double within, past;  // over [T/2,T) and [8T,16T)
};
Losses losses_of(const Results& results, const std::string& name) {
  return {mean_over(results, name, kT / 2, kT), mean_over(results, name, 8 * kT, 16 * kT)};
}

double perplexity_ratio(const std::string& model) {
  const Losses losses = losses_of(measured(model), "loss");
  return std::exp(losses.past - losses.within);
}

// Mean of the samples at [begin, end).
double mean_at(const Series& series, int64_t begin, int64_t end) {
  double sum = 0;
  int64_t count = 0;
  for (size_t i = 0; i < series.x.size(); ++i) {
    const auto at = static_cast<int64_t>(series.x[i]);
    if (at < begin || at >= end) continue;
    sum += series.y[i];
    ++count;
  }
  return sum / static_cast<double>(count);
}

// Of the head with the largest state: its norm over [8T,16T) as a multiple of that over [T/2,T).
double growth(const Results& results) {
  double largest = 0, grown = 0;
  for (const Series& series : results.series) {
    if (series.name != "state_norm") continue;
    const double past = mean_at(series, 8 * kT, 16 * kT);
    if (past <= largest) continue;
    largest = past;
    grown = past / mean_at(series, kT / 2, kT);
  }
  return grown;
}

TEST(ShippedModels, EnglishFailsPastItsContextAndStatePassingRepairsIt) {
  EXPECT_GT(perplexity_ratio("english"), 1.5);
  EXPECT_GT(perplexity_ratio("english-control"), 1.35);
  EXPECT_LT(perplexity_ratio("english-state-passing"), 1.15);
}

TEST(ShippedModels, TheRegisterGrowsAndTruncatedBpttHalvesWhatItForgets) {
  const Results base = measured("register");
  EXPECT_GT(growth(base), 1.5);
  const Losses before = losses_of(base, "predictable_loss");
  const Losses after = losses_of(measured("register-tbtt"), "predictable_loss");
  EXPECT_GT(before.past, before.within + 0.1);
  EXPECT_LT(after.past - after.within, 0.5 * (before.past - before.within));
}

}  // namespace
}  // namespace farstate
