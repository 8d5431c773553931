// SPDX-License-Identifier: GPL-3.0-or-later
// The state over position as the map and the lines draw it: one row per head, as ratios.
#pragma once

#include <QString>
#include <optional>
#include <string>
#include <vector>

#include "core/results/series.h"
#include "core/results/state_report.h"

namespace farstate::desktop {

enum class StateMetric { kNorm, kStd, kMax, kDrift };

const char* series_name(StateMetric metric);
QString metric_name(StateMetric metric);  // "largest |h|"

struct StateRow {
  int64_t layer = 0, head = 0;
  std::vector<double> begin, end;  // of each bin, in positions
  std::vector<double> x, value;
  std::vector<double> ratio;  // to the value at T; NaN: not finite or no reference

  HeadIndex index() const { return {layer, head}; }
};

// Rows of one series name, sorted by layer and head, with their ratios to the bin that holds
// `reference`, or the nearest one measured. `state_drift` is such a ratio already.
std::vector<StateRow> state_rows(const std::vector<Series>& series, const std::string& name,
                                 int64_t reference);

// The head whose last ratio is farthest from 1, in either direction; the first one of none.
HeadIndex most_drifted(const std::vector<StateRow>& rows);

// The bin that holds the position; the last one also holds its end.
std::optional<size_t> bin_of(const StateRow& row, double position);

// What both plots of the state show.
struct StatePicture {
  std::vector<StateRow> rows;
  StateMetric metric = StateMetric::kNorm;
  int64_t trained_context = 0;  // 0: not known
  int64_t reference = 0;        // the position that ratios are taken at
  bool complete = true;         // of the measurement: nothing more will come
  double length = 0;            // that it will reach
  std::optional<double> front;  // beyond it an older measurement is still shown
  bool recorded_beyond = false;  // and that was recorded

  std::optional<size_t> row_of(HeadIndex head) const;
  QString ratio_name() const;  // "of its value at T"
};

}  // namespace farstate::desktop
