// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/terminal/head_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace farstate {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

HeadRow& row_of(std::map<HeadIndex, HeadRow>& rows, HeadIndex index) {
  return rows.try_emplace(index, HeadRow{index, kNaN, kNaN, kNaN, kNaN, kNaN, ""}).first->second;
}

void take(const Series& series, std::map<HeadIndex, HeadRow>& rows) {
  if (series.y.empty() || !series.layer || !series.head) return;
  HeadRow& row = row_of(rows, {*series.layer, *series.head});
  const double last = series.y.back();
  if (series.name == "state_norm") row.norm_at_end = last;
  if (series.name == "state_drift") row.drift = last;
  if (series.name == "half_life") row.half_life = last;
  if (series.name == "ks_distance") row.ks = last;
}

void take(const StateReport& states, std::map<HeadIndex, HeadRow>& rows) {
  const int64_t context = states.training.empty() ? 0 : states.training.back();
  const int64_t end = states.positions.empty()
                          ? 0
                          : *std::max_element(states.positions.begin(), states.positions.end());
  for (const HeadReport& head : states.heads) {
    HeadRow& row = row_of(rows, head.index);
    if (head.law) row.law = head.law->law;
    for (const ElementDistribution& at : head.at) {
      if (at.position == context) row.norm_at_context = at.norm;
      if (at.position == end && std::isnan(row.norm_at_end)) row.norm_at_end = at.norm;
    }
    if (std::isnan(row.drift)) row.drift = row.norm_at_end / row.norm_at_context;
  }
}

double key(const HeadRow& row, const std::string& order) {
  if (order == "norm") return row.norm_at_end;
  if (order == "half-life") return row.half_life;
  return std::abs(std::log(row.drift));
}

std::string number(double value) { return std::isnan(value) ? "-" : fmt::format("{:.4g}", value); }

}  // namespace

std::vector<HeadRow> head_rows(const Results& results, const std::string& order) {
  std::map<HeadIndex, HeadRow> by_index;
  for (const Series& series : results.series) take(series, by_index);
  if (results.states) take(*results.states, by_index);
  std::vector<HeadRow> rows;
  for (auto& [index, row] : by_index) rows.push_back(std::move(row));
  std::stable_sort(rows.begin(), rows.end(), [&](const HeadRow& a, const HeadRow& b) {
    const double x = key(a, order), y = key(b, order);
    return std::isnan(y) ? !std::isnan(x) : x > y;
  });
  return rows;
}

void print_heads(const Results& results, const std::string& order) {
  constexpr size_t kShown = 10;
  const bool dynamics =
      std::any_of(results.series.begin(), results.series.end(),
                  [](const Series& series) { return series.name == "half_life"; });
  if (!dynamics && !results.states) return;
  const std::vector<HeadRow> rows = head_rows(results, order);
  if (rows.empty()) return;
  fmt::print("\n{:>6}{:>6}{:>12}{:>12}{:>10}{:>12}{:>8}  {}\n", "layer", "head", "norm at T",
             "norm at end", "drift", "half-life", "KS", "law at T");
  for (size_t i = 0; i < std::min(kShown, rows.size()); ++i) {
    const HeadRow& row = rows[i];
    fmt::print("{:>6}{:>6}{:>12}{:>12}{:>10}{:>12}{:>8}  {}\n", row.index.layer, row.index.head,
               number(row.norm_at_context), number(row.norm_at_end), number(row.drift),
               number(row.half_life), std::isnan(row.ks) ? "-" : fmt::format("{:.3f}", row.ks),
               row.law.empty() ? "-" : row.law);
  }
  if (rows.size() > kShown) {
    fmt::print("{:>6}  {} more heads; --sort {} chose these.\n", "…", rows.size() - kShown, order);
  }
}

}  // namespace farstate
