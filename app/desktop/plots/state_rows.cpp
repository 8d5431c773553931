// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/plots/state_rows.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>
#include <limits>

#include "app/desktop/models/measurement_book.h"

namespace farstate::desktop {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

QString tr(const char* text) { return QCoreApplication::translate("farstate::desktop", text); }

// Bins as measured; without them, each sample reaches half way, in octaves, to its neighbours.
void set_bins(StateRow& row, const Series& series) {
  const size_t count = row.x.size();
  if (series.bin_begin.size() >= count && series.bin_end.size() >= count) {
    row.begin.assign(series.bin_begin.begin(), series.bin_begin.begin() + count);
    row.end.assign(series.bin_end.begin(), series.bin_end.begin() + count);
    return;
  }
  row.begin.resize(count);
  row.end.resize(count);
  for (size_t i = 0; i < count; ++i) {
    row.begin[i] = i == 0 ? row.x[i] : row.end[i - 1];
    row.end[i] = i + 1 == count ? row.x[i] : std::sqrt(row.x[i] * row.x[i + 1]);
  }
}

void set_ratios(StateRow& row, double at_reference) {
  row.ratio.resize(row.value.size());
  for (size_t i = 0; i < row.value.size(); ++i) {
    const double ratio = row.value[i] / at_reference;
    row.ratio[i] = std::isfinite(ratio) && ratio > 0 ? ratio : kNaN;
  }
}

QString value_at_t() { return tr("of its value at T"); }

QString value_at_position(int64_t position) {
  return tr("of its value at %1").arg(QLocale().toString(qint64(position)));
}

double value_at(const StateRow& row, double position) {
  std::optional<size_t> bin = bin_of(row, position);
  if (!bin) bin = nearest_sample(row.x, position, true);
  return bin ? row.value[*bin] : kNaN;
}

}  // namespace

const char* series_name(StateMetric metric) {
  switch (metric) {
    case StateMetric::kStd:
      return "state_std";
    case StateMetric::kMax:
      return "state_max";
    case StateMetric::kDrift:
      return "state_drift";
    case StateMetric::kNorm:
      break;
  }
  return "state_norm";
}

QString metric_name(StateMetric metric) {
  switch (metric) {
    case StateMetric::kStd:
      return tr("std");
    case StateMetric::kMax:
      return tr("largest |h|");
    case StateMetric::kDrift:
      return tr("drift");
    case StateMetric::kNorm:
      break;
  }
  return tr("norm");
}

HeadIndex most_drifted(const std::vector<StateRow>& rows) {
  HeadIndex most;
  double farthest = -1;
  for (const StateRow& row : rows) {
    if (row.ratio.empty()) continue;
    const double drift = std::abs(std::log(row.ratio.back()));
    if (!std::isfinite(drift) || drift <= farthest) continue;
    farthest = drift;
    most = row.index();
  }
  return most;
}

std::optional<size_t> bin_of(const StateRow& row, double position) {
  const auto above = std::upper_bound(row.begin.begin(), row.begin.end(), position);
  if (above == row.begin.begin()) return std::nullopt;
  const auto index = static_cast<size_t>(above - row.begin.begin()) - 1;
  if (position < row.end[index] || (index + 1 == row.end.size() && position == row.end[index])) {
    return index;
  }
  return std::nullopt;
}

std::vector<StateRow> state_rows(const std::vector<Series>& series, const std::string& name,
                                 int64_t reference) {
  const bool is_ratio = name == series_name(StateMetric::kDrift);
  std::vector<StateRow> rows;
  for (const Series& s : series) {
    if (s.name != name || !s.layer || !s.head) continue;
    StateRow& row = rows.emplace_back();
    row.layer = *s.layer;
    row.head = *s.head;
    const size_t count = std::min(s.x.size(), s.y.size());
    row.x.assign(s.x.begin(), s.x.begin() + count);
    row.value.assign(s.y.begin(), s.y.begin() + count);
    set_bins(row, s);
    set_ratios(row, is_ratio ? 1 : value_at(row, static_cast<double>(reference)));
  }
  const auto by_index = [](const StateRow& a, const StateRow& b) { return a.index() < b.index(); };
  if (!std::is_sorted(rows.begin(), rows.end(), by_index)) {
    std::sort(rows.begin(), rows.end(), by_index);
  }
  return rows;
}

std::optional<size_t> StatePicture::row_of(HeadIndex head) const {
  const auto found = std::lower_bound(
      rows.begin(), rows.end(), head,
      [](const StateRow& row, HeadIndex wanted) { return row.index() < wanted; });
  if (found == rows.end() || found->index() != head) return std::nullopt;
  return static_cast<size_t>(found - rows.begin());
}

QString StatePicture::ratio_name() const {
  return trained_context > 0 ? value_at_t() : value_at_position(reference);
}

}  // namespace farstate::desktop
