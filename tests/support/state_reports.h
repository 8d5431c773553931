// SPDX-License-Identifier: GPL-3.0-or-later
// Invented answers about the states of a model, of laws that are known, for tests of front ends.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "core/results/state_report.h"

namespace farstate::testing {

// A law of elements: Gaussian, moved and spread, with a share of a second Gaussian that is wider.
struct ElementLaw {
  double mean = 0, std = 1;
  double tail_share = 0, tail_width = 3;

  double density(double x) const {
    const auto gaussian = [&](double s) {
      const double z = (x - mean) / s;
      return std::exp(-z * z / 2) / (s * std::sqrt(2 * std::numbers::pi));
    };
    return (1 - tail_share) * gaussian(std) + tail_share * gaussian(tail_width * std);
  }
  double below(double x) const {
    const auto gaussian = [&](double s) { return std::erfc(-(x - mean) / s / std::sqrt(2.0)) / 2; };
    return (1 - tail_share) * gaussian(std) + tail_share * gaussian(tail_width * std);
  }
  double quantile(double share) const {
    double low = mean - 40 * std, high = mean + 40 * std;
    for (int i = 0; i < 60; ++i) {
      const double middle = (low + high) / 2;
      (below(middle) < share ? low : high) = middle;
    }
    return (low + high) / 2;
  }
  double variance() const {
    return std * std * (1 - tail_share + tail_share * tail_width * tail_width);
  }
  double excess_kurtosis() const {
    const double fourth = 3 * std::pow(std, 4) *
                          (1 - tail_share + tail_share * std::pow(tail_width, 4));
    return fourth / (variance() * variance()) - 3;
  }
};

inline double normal_quantile(double share) { return ElementLaw{}.quantile(share); }

inline ElementDistribution distribution(const ElementLaw& law, int64_t position,
                                        const std::vector<double>& edges,
                                        const std::vector<double>& normal_quantiles) {
  ElementDistribution d;
  d.position = position;
  d.states = 32;
  d.counted = 262144;
  d.mean = law.mean;
  d.std = std::sqrt(law.variance());
  d.excess_kurtosis = law.excess_kurtosis();
  const auto total = static_cast<double>(d.counted);
  d.smallest = law.quantile(1 / total);
  d.largest = law.quantile(1 - 1 / total);
  d.norm = std::sqrt(8192 * (law.variance() + law.mean * law.mean));
  for (size_t i = 0; i + 1 < edges.size(); ++i) {
    d.counts.push_back(std::llround(total * (law.below(edges[i + 1]) - law.below(edges[i]))));
  }
  d.below = std::llround(total * law.below(edges.front()));
  d.above = std::llround(total * (1 - law.below(edges.back())));
  for (const double z : normal_quantiles) {
    d.quantiles.push_back(law.quantile(std::erfc(-z / std::sqrt(2.0)) / 2));
  }
  d.effective_rank = 21.4;
  d.singular_values = {31.2, 20.1, 14.8, 9.9};
  d.cosine = position == 0 ? std::nan("") : 0.41;
  return d;
}

inline HeadLawReport dependent_law(int64_t position) {
  HeadLawReport law;
  law.position = position;
  law.states = 32;
  law.law = "dependent";
  law.sentence =
      "A Gaussian per head is not enough: its elements are correlated (the first 3 directions hold "
      "61 % of the variance, 24 % if independent). Measured on 32 states.";
  law.components = 3;
  law.leading_share = 0.61;
  law.shuffled_leading_share = 0.24;
  law.rank = 21.4;
  law.shuffled_rank = 38.6;
  double total = 0, shuffled_total = 0;
  for (int i = 0; i < 31; ++i) {
    law.spectrum.push_back(std::exp(-0.33 * i) + 0.01);
    law.shuffled_spectrum.push_back(1.4 - 0.03 * i);
    total += law.spectrum.back();
    shuffled_total += law.shuffled_spectrum.back();
  }
  for (double& share : law.spectrum) share /= total;
  for (double& share : law.shuffled_spectrum) share /= shuffled_total;
  law.side = 48;
  for (int64_t i = 0; i < law.side; ++i) {
    for (int64_t j = 0; j < law.side; ++j) {
      const double near = std::exp(-std::abs(double(i % 12 - j % 12)) / 3.0);
      const double blocks = (i / 12) % 2 == (j / 12) % 2 ? 0.7 : -0.5;
      law.correlation.push_back(i == j ? 1 : static_cast<float>(near * blocks));
    }
  }
  return law;
}

// "the cat sat on …", a token per word or space.
inline std::vector<TokenPreview> words(int64_t count, int64_t from = 0) {
  static const std::vector<std::string> kWords = {
      "the", " state", " of", " a", " head", " grows", " past", " what", " it", " was", " shown",
      ",", " and", " then", " keeps", " gro", "wing", " slow", "ly", ".", "\n", "Where", " the",
      " text", " ends", " no", "body", " know", "s", "."};
  std::vector<TokenPreview> out;
  for (int64_t i = 0; i < count; ++i) {
    const auto at = static_cast<size_t>(from + i) % kWords.size();
    out.push_back({static_cast<int64_t>(100 + at), kWords[at]});
  }
  return out;
}

inline AttentionReport attention(HeadIndex index, int64_t end, int64_t n) {
  AttentionReport a;
  a.index = index;
  a.first = end - n;
  a.tokens = words(n, a.first);
  a.weights.assign(static_cast<size_t>(n * n), 0);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j <= i; ++j) {
      const double decay = std::exp(-double(i - j) / 18.0);
      const double wave = std::cos(0.7 * double(i) - 0.9 * double(j)) + 0.3;
      a.weights[static_cast<size_t>(i * n + j)] =
          static_cast<float>(0.4 * decay * wave * (j % 7 == 3 ? 2.5 : 0.7));
    }
    a.from_before.push_back(static_cast<float>(std::exp(-double(i) / 20)));
    a.leaning.push_back(static_cast<float>(0.3 * std::sin(1.7 * double(i)) *
                                           std::exp(-double(n - i) / 25)));
  }
  a.predicted = {7, " know"};
  a.probability = 0.42;
  return a;
}

struct InventedStates {
  int64_t layers = 2, heads = 4;
  std::vector<int64_t> positions = {64, 4096};
  HeadIndex focus{1, 2};
  int64_t window = 64;
};

// Gaussian in training and at the first position; beyond it moved, spread and with heavy tails,
// more so in later heads.
inline std::shared_ptr<StateReport> invented_report(const InventedStates& of = {}) {
  auto report = std::make_shared<StateReport>();
  report->epoch = 1;
  report->question = 1;
  report->sequences = 32;
  report->positions = of.positions;
  report->training = {8, 16, 32, 64};
  for (int i = 1; i < 64; ++i) report->normal_quantiles.push_back(normal_quantile(i / 64.0));
  for (int64_t i = 0; i < of.layers * of.heads; ++i) {
    HeadReport head;
    head.index = {i / of.heads, i % of.heads};
    const double far = double(i % 8) / 8;
    for (int e = 0; e <= 64; ++e) head.edges.push_back(-5 + 10.0 * e / 64);
    head.training = distribution({0, 0.82}, 0, head.edges, report->normal_quantiles);
    for (size_t p = 0; p < of.positions.size(); ++p) {
      const ElementLaw law = p == 0 ? ElementLaw{0.02, 0.80, 0.01}
                                    : ElementLaw{0.55 * far + 0.1, 1 + 0.5 * far, 0.2};
      head.at.push_back(
          distribution(law, of.positions[p], head.edges, report->normal_quantiles));
      head.at.back().ks_distance = p == 0 ? 0.02 : 0.31;
      head.at.back().wasserstein = p == 0 ? 0.03 : 0.58 + far;
    }
    report->heads.push_back(std::move(head));
  }
  const auto focus = static_cast<size_t>(of.focus.layer * of.heads + of.focus.head);
  if (!of.positions.empty()) {
    const int64_t last = of.positions.back();
    if (focus < report->heads.size()) report->heads[focus].law = dependent_law(last);
    report->attention = attention(of.focus, last, std::min(of.window, last));
    report->law =
        "Independent noise cannot stand in for the states: of 8 heads, 6 have elements that depend "
        "on each other.";
  }
  for (const int64_t position : of.positions) {
    const int64_t first = std::max<int64_t>(0, position - 12);
    report->text.push_back({position, first, words(24, first)});
  }
  report->notes = {"Thinned: 262,144 of 2,097,152 elements are counted, evenly spread."};
  return report;
}

}  // namespace farstate::testing
