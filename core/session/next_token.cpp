// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/next_token.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace farstate {
namespace {

// Ids of the `count` largest weights, descending, equals by id.
std::vector<int64_t> largest(std::span<const double> weights, size_t count) {
  std::vector<int64_t> ids(weights.size());
  std::iota(ids.begin(), ids.end(), 0);
  count = std::min(count, ids.size());
  const auto before = [&](int64_t a, int64_t b) {
    const double wa = weights[static_cast<size_t>(a)], wb = weights[static_cast<size_t>(b)];
    return wa != wb ? wa > wb : a < b;
  };
  std::partial_sort(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(count), ids.end(),
                    before);
  ids.resize(count);
  return ids;
}

// The token in which `target`, from 0 to the sum of the weights, lies when they are laid in a row.
// Rounding may leave a rest: then it is the last one that weighs anything.
template <typename WeightOf>
size_t place_of(double target, size_t count, const WeightOf& weight_of) {
  size_t last = 0;
  for (size_t i = 0; i < count; ++i) {
    const double weight = weight_of(i);
    if (weight == 0) continue;
    last = i;
    target -= weight;
    if (target < 0) break;
  }
  return last;
}

}  // namespace

NextTokenDistribution::NextTokenDistribution(std::span<const float> logits, int64_t drawable)
    : log_probability_(logits.begin(), logits.end()), drawable_(drawable) {
  const double highest = *std::max_element(log_probability_.begin(), log_probability_.end());
  double sum = 0;
  for (const double logit : log_probability_) {
    finite_ = finite_ && std::isfinite(logit);
    sum += std::exp(logit - highest);
  }
  const double log_sum = highest + std::log(sum);
  for (double& value : log_probability_) value -= log_sum;
}

double NextTokenDistribution::entropy() const {
  double sum = 0;
  for (const double log_p : log_probability_) sum -= std::exp(log_p) * log_p;
  return sum;
}

std::vector<std::pair<int64_t, double>> NextTokenDistribution::top(size_t count) const {
  std::vector<std::pair<int64_t, double>> result;
  const std::span<const double> all(log_probability_);
  for (const int64_t id : largest(all.first(static_cast<size_t>(drawable_)), count)) {
    result.emplace_back(id, std::exp(all[static_cast<size_t>(id)]));
  }
  return result;
}

double NextTokenDistribution::divergence_to(const NextTokenDistribution& other) const {
  double sum = 0;
  for (size_t i = 0; i < log_probability_.size(); ++i) {
    sum += std::exp(log_probability_[i]) * (log_probability_[i] - other.log_probability_[i]);
  }
  return std::max(sum, 0.0);  // of equal distributions rounding may leave a trace below 0
}

int64_t NextTokenDistribution::draw(const SamplingConfig& config, Rng& rng) const {
  const auto first =
      std::span<const double>(log_probability_).first(static_cast<size_t>(drawable_));
  if (config.temperature == 0) return largest(first, 1).front();
  const double highest = *std::max_element(first.begin(), first.end());
  std::vector<double> weights(first.size());
  std::transform(first.begin(), first.end(), weights.begin(), [&](double log_p) {
    return std::exp((log_p - highest) / config.temperature);
  });
  const double whole = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (config.top_p == 1) {
    return static_cast<int64_t>(
        place_of(rng.uniform() * whole, weights.size(), [&](size_t i) { return weights[i]; }));
  }
  // Few tokens are wanted as a rule, so not all of a large vocabulary is sorted.
  for (size_t count = 64;; count *= 8) {
    const std::vector<int64_t> ids = largest(weights, count);
    double mass = 0;
    size_t taken = 0;
    while (taken < ids.size() && mass < config.top_p * whole) {
      mass += weights[static_cast<size_t>(ids[taken++])];
    }
    if (mass < config.top_p * whole && ids.size() < weights.size()) continue;
    return ids[place_of(rng.uniform() * mass, taken,
                        [&](size_t i) { return weights[static_cast<size_t>(ids[i])]; })];
  }
}

}  // namespace farstate
