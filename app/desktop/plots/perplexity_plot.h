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
  bool other_model = false;  // a twin that was post-trained before, not the model at hand
  std::vector<double> low, high;  // of the band; empty: none was measured
  QString whole_name = {};  // where `name` says less than a picture must; empty: it says all
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
// Every curve by its whole name, for a picture.
QVector<CurveLegend::Entry> names_of(const QVector<BookCurve>& curves);

// Of each curve its values and, where it has one, its band.
DataTable numbers_of(const QString& x_name, const QVector<BookCurve>& curves);

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

  // A person's guess as a curve that begins at the level before it, with handles to drag while it
  // may be changed; no positions: none. most: the highest value that can be guessed.
  struct GuessCurve {
    std::vector<double> positions, values;
    double from = 0, level = 0;  // where the curve begins
    double most = 0;
    bool editable = false;
  };
  void show_guess(const GuessCurve& guess);
  DataTable numbers() const override;
  QVector<CurveLegend::Entry> legend() const override { return names_of(curves_); }

 Q_SIGNALS:
  void guess_dragged(int handle, double value);

 protected:
  void rebuild() override;
  std::optional<Tip> tip_at(const QPoint& pixel) override;
  std::optional<double> snapped_x(const QPoint& pixel) const override;
  bool take_hold(const QPoint& pixel) override;
  void drag_held(const QPoint& pixel) override;

 private:
  std::optional<int> handle_at(const QPoint& pixel) const;
  size_t seen_samples(const Series& series) const;  // of a curve, left of the cover
  void draw_guess();
  void united_with_guess(std::optional<Extent>& y) const;

  QVector<BookCurve> curves_;
  void draw_newest(const BookCurve& curve, const CleanCurve& clean);

  double expected_ = 0;
  GuessCurve guess_;
  std::optional<int> held_handle_;
  bool recorded_beyond_ = false;
  bool log_ = true;
};

}  // namespace farstate::desktop
