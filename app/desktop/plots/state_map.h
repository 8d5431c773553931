// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/models/measurement_book.h"
#include "app/desktop/plots/position_plot.h"

class QCPColorScale;

namespace farstate::desktop {

class StateRaster;

// The state of every layer and head over position, as its ratio to what it is at T. Where there
// are more rows than lines of pixels, a line shows the largest ratio of its rows.
class StateMap : public PositionPlot {
  Q_OBJECT
 public:
  enum class Metric { kNorm, kStd, kMax };

  struct Row {
    int64_t layer = 0, head = 0;
    std::vector<double> begin, end;  // of each bin, in positions
    std::vector<double> x, value;
    std::vector<double> ratio;  // to the value at T; NaN: not finite or no reference
  };

  explicit StateMap(QWidget* parent = nullptr);

  // trained_context 0: not known, ratios are to the value at `reference`.
  void set_measurement(const Measurement* measurement, int64_t trained_context, int64_t reference);
  void set_metric(Metric metric);

  const std::vector<Row>& rows() const { return rows_; }

 protected:
  void rebuild() override;
  void recolor() override;
  void bottom_changed(int bottom) override;
  std::optional<Tip> tip_at(const QPoint& pixel) override;
  std::optional<double> snapped_x(const QPoint& pixel) const override;

 private:
  const Row* row_at(int pixel_y) const;
  void label_rows();
  void scale_colors();
  void show_scale(bool shown);

  std::vector<Series> series_;  // of all three metrics
  std::vector<Row> rows_;
  Metric metric_ = Metric::kNorm;
  int64_t reference_ = 0;  // the position that ratios are taken at
  double expected_length_ = 0;
  bool complete_ = true;
  StateRaster* raster_ = nullptr;
  QCPColorScale* scale_ = nullptr;
};

// Rows of one metric, sorted by layer and head, with their ratios to the bin that holds
// `reference`, or the nearest one measured.
std::vector<StateMap::Row> state_rows(const std::vector<Series>& series, const std::string& name,
                                      int64_t reference);

}  // namespace farstate::desktop
