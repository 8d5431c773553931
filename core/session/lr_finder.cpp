// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/lr_finder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/session/trainer.h"

namespace farstate {
namespace {

// Of the smoothed loss that came before, in the one after a further step.
constexpr double kMemory = 0.9;
// Mean age of the losses in it, in steps.
constexpr size_t kAge = 9;
// Steps before the smoothed loss is a mean of several.
constexpr size_t kSettled = 10;
// Nats above the smallest smoothed loss from which there is no way back.
constexpr double kLost = 1.0;

void check(const LrSearch& search) {
  if (!(search.from > 0) || !(search.to > search.from) || !std::isfinite(search.to)) {
    throw Error(ErrorKind::kBadUsage,
                fmt::format("The learning rate must rise from above 0; from {} to {} it does not.",
                            search.from, search.to));
  }
  if (search.steps < 20 || search.steps > 10000) {
    throw Error(ErrorKind::kBadUsage, fmt::format("The search for a learning rate takes from 20 to "
                                                  "10000 steps, got {}.",
                                                  search.steps));
  }
}

// Its rate is a setting that changes at every step.
RunConfig recipe_of(const RunConfig& config, const LrSearch& search) {
  RunConfig recipe = config;
  recipe.train.steps = search.steps;
  recipe.train.warmup = 0;
  recipe.train.schedule = "constant";
  recipe.train.most_skips = 0;
  recipe.train.divergence = 0;
  recipe.changes.clear();
  const double factor =
      std::pow(search.to / search.from, 1.0 / static_cast<double>(search.steps - 1));
  for (int64_t step = 0; step < search.steps; ++step) {
    const double rate = search.from * std::pow(factor, static_cast<double>(step));
    recipe.changes.push_back({step, "train.learning_rate", fmt::format("{}", rate)});
  }
  return recipe;
}

std::vector<double> smooth(const std::vector<double>& losses) {
  std::vector<double> smoothed;
  double sum = 0;
  double weight = 0;
  for (const double loss : losses) {
    sum = kMemory * sum + (1 - kMemory) * loss;
    weight = kMemory * weight + (1 - kMemory);
    smoothed.push_back(sum / weight);
  }
  return smoothed;
}

// Two standard deviations of the smoothed loss where nothing but the windows changes: from the median
// distance of neighbours among the first losses, which neither a trend nor a single odd step gets
// into. Of a Gaussian's differences it is 0.954 of its standard deviation, and a mean with weights
// (1 - m) m^k of independent losses has (1 - m) / (1 + m) of their variance.
double scatter(const std::vector<double>& losses, size_t count) {
  std::vector<double> distances;
  for (size_t i = 1; i < count; ++i) distances.push_back(std::abs(losses[i] - losses[i - 1]));
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  return 2 * *middle / 0.954 * std::sqrt((1 - kMemory) / (1 + kMemory));
}

bool lost(const std::vector<double>& smoothed) {
  if (smoothed.size() <= kSettled) return false;
  const double best = *std::min_element(smoothed.begin() + kSettled, smoothed.end());
  return smoothed.back() > best + kLost;
}

}  // namespace

void judge(LrFinding& finding) {
  finding.smoothed = smooth(finding.losses);
  finding.suggestion.reset();
  const std::vector<double>& s = finding.smoothed;
  if (s.size() <= 2 * kSettled) {
    finding.sentence = "Too few steps were made to tell.";
    return;
  }
  const auto best = std::min_element(s.begin() + kSettled, s.end());
  const double scatters = scatter(finding.losses, 2 * kSettled);
  // Of as many means the extremes lie up to five standard deviations apart by chance.
  if (*std::max_element(s.begin() + kSettled, s.end()) <= *best + 3 * scatters) {
    finding.sentence = "The loss changes by no more than it scatters; search up to a higher rate.";
    return;
  }
  size_t last = s.size() - 1;
  while (s[last] > *best + scatters) --last;
  const bool rose = last + 1 < s.size();
  const double edge = finding.rates[last - std::min(last, kAge)];
  finding.suggestion = edge / 10;
  finding.sentence = fmt::format(
      "Suggested: {:.2g}, a tenth of {:.2g}, the largest rate at which the smoothed loss ({:.4f}) is "
      "still within its scatter of the smallest ({:.4f}).{}",
      *finding.suggestion, edge, s[last], *best,
      rose ? "" : " It had not risen by the end of the search, so a higher rate may do as well.");
}

LrFinding find_learning_rate(RecurrentLM& model, const Corpus& corpus, const RunConfig& config,
                             const LrSearch& search,
                             const std::function<void(const LrFinding&)>& on_step) {
  check(search);
  Trainer trainer(model, corpus, recipe_of(config, search));
  LrFinding finding;
  try {
    while (trainer.steps() < search.steps && !finding.diverged) {
      const TrainPoint point = trainer.step();
      finding.rates.push_back(point.learning_rate);
      finding.losses.push_back(point.loss);
      finding.smoothed = smooth(finding.losses);
      finding.diverged = lost(finding.smoothed);
      if (on_step) on_step(finding);
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kDiverged && error.kind() != ErrorKind::kInterrupted) throw;
    finding.diverged = error.kind() == ErrorKind::kDiverged;
    finding.interrupted = error.kind() == ErrorKind::kInterrupted;
  }
  judge(finding);
  return finding;
}

}  // namespace farstate
