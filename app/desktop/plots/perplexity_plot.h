// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/models/measurement_book.h"
#include "app/desktop/plots/position_plot.h"
#include "app/desktop/widgets/curve_legend.h"

namespace farstate::desktop {

// A named curve of a measurement, as the plots over a book draw it.
struct BookCurve {
  Series series;
  LineStyle line;
  QString name;
  bool banded = false;  // with its band: base and current
  std::vector<double> low, high;  // of the band; empty: none was measured
};

// Which series a band is made of; empty names: the curve's own 95 % interval.
struct BandNames {
  std::string low, high;
};

// The curves of one series name: base, earlier ones as ghosts, the current one on top.
QVector<BookCurve> curves_of(const MeasurementBook& book, const std::string& name, bool dark,
                             const BandNames& band = {});
// Base and current by name; the earlier ones, whose looks the choice of initial states shows, by
// their number.
QVector<CurveLegend::Entry> legend_of(const QVector<BookCurve>& curves);

// Perplexity by position, with the 95 % interval of base and current measurement.
class PerplexityPlot : public PositionPlot {
  Q_OBJECT
 public:
  explicit PerplexityPlot(QWidget* parent = nullptr);

  // expected: the length that a measurement under way will reach; 0: none is.
  void set_curves(const QVector<BookCurve>& curves, double expected);
  void set_log(bool log);
  // What the newest curve shows beyond the front was recorded, and not measured here earlier.
  void set_recorded_beyond(bool recorded) { recorded_beyond_ = recorded; }

 protected:
  void rebuild() override;
  std::optional<Tip> tip_at(const QPoint& pixel) override;
  std::optional<double> snapped_x(const QPoint& pixel) const override;

 private:
  QVector<BookCurve> curves_;
  void draw_newest(const BookCurve& curve, const CleanCurve& clean);

  double expected_ = 0;
  bool recorded_beyond_ = false;
  bool log_ = true;
};

}  // namespace farstate::desktop
