// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/plots/state_plot.h"

class QCPColorScale;

namespace farstate::desktop {

class StateRaster;

// The state of every layer and head over position, as its ratio to what it is at T. Where there
// are more rows than lines of pixels, a line shows the largest ratio of its rows.
class StateMap : public StatePlot {
  Q_OBJECT
 public:
  explicit StateMap(QWidget* parent = nullptr);

  QRect row_rect(HeadIndex head) const;  // in this widget; empty: no such row

 protected:
  void rebuild() override;
  void recolor() override;
  void bottom_changed(int bottom) override;
  std::optional<Tip> tip_at(const QPoint& pixel) override;
  std::optional<double> snapped_x(const QPoint& pixel) const override;
  void picture_changed() override;
  void head_changed() override;
  const StateRow* row_at(const QPoint& pixel) const override;
  void placed() override;

 private:
  void label_rows();
  void scale_colors();
  void show_scale(bool shown);
  void mark_head();

  StateRaster* raster_ = nullptr;
  QCPColorScale* scale_ = nullptr;
};

}  // namespace farstate::desktop
