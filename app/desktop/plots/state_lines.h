// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/plots/state_plot.h"

namespace farstate::desktop {

class LegendList;

// The same ratios as the map, as curves: of up to 16 heads a line each, which the list beside them
// hides and shows, of more a band of what most heads do, with the head in focus as a line.
class StateLines : public StatePlot {
  Q_OBJECT
 public:
  static constexpr size_t kMostLines = 16;

  explicit StateLines(QWidget* parent = nullptr);

  // Over the heads, at each measured position.
  struct Band {
    std::vector<double> x, low, median, high;  // 10 %, 50 %, 90 %
  };
  bool is_banded() const { return rows().size() > kMostLines; }
  const Band& band() const { return band_; }
  int line_count() const { return lines_; }  // of heads, as drawn
  QStringList key() const;                   // the legend in words
  LegendList* line_list() const { return key_; }

 protected:
  void rebuild() override;
  void recolor() override;
  void picture_changed() override;
  void head_changed() override;
  void resizeEvent(QResizeEvent* event) override;
  std::optional<Tip> tip_at(const QPoint& pixel) override;
  std::optional<double> snapped_x(const QPoint& pixel) const override;
  const StateRow* row_at(const QPoint& pixel) const override;
  bool is_shown(const StateRow& row) const override;

 private:
  CleanCurve clean(const StateRow& row) const;
  std::optional<double> height_of(const StateRow& row, double position) const;  // in pixels
  void write_key();
  void place_key();

  Band band_;
  int lines_ = 0;
  LegendList* key_;
};

// Quantiles over the rows wherever at least one has a value.
StateLines::Band band_of(const std::vector<StateRow>& rows);

// The look of the row-th of at most 16 heads: eight colours, then the same ones dashed.
LineStyle head_line(size_t row, bool dark);

}  // namespace farstate::desktop
