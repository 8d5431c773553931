// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/plots/perplexity_plot.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "app/desktop/plots/qcp.h"
#include "app/desktop/plots/ticks.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {
namespace {

// From the first position of the first bin to the last of the last, as in the state map above.
std::optional<Extent> reach_of(const Series& series, const std::optional<Extent>& drawn) {
  if (!drawn || series.bin_begin.empty() || series.bin_end.empty()) return drawn;
  return Extent{std::max(1.0, static_cast<double>(series.bin_begin.front())),
                static_cast<double>(series.bin_end.back())};
}

QString tr(const char* text) { return QCoreApplication::translate("farstate::desktop", text); }

// The band has a value wherever the curve has one.
std::vector<double> edge_of(const Measurement& m, const Series& curve, const std::string& name,
                            const std::vector<double>& own) {
  const Series* edge = name.empty() ? nullptr : find_series(m.series, name);
  const std::vector<double>& values = edge != nullptr ? edge->y : own;
  return values.size() == curve.x.size() ? values : std::vector<double>();
}

void add_curve(QVector<BookCurve>& out, const Measurement* m, const std::string& name,
               const BandNames& band, BookCurve curve) {
  const Series* series = m != nullptr ? find_series(m->series, name) : nullptr;
  if (series == nullptr) return;
  curve.series = *series;
  if (curve.banded) {
    curve.low = edge_of(*m, *series, band.low, series->lower);
    curve.high = edge_of(*m, *series, band.high, series->upper);
  }
  out.push_back(std::move(curve));
}

}  // namespace

QVector<BookCurve> curves_of(const MeasurementBook& book, const std::string& name, bool dark,
                             const BandNames& band) {
  QVector<BookCurve> out;
  const Measurement* current = book.current();
  add_curve(out, book.base(), name, band, {{}, base_line(dark), tr("base"), true, {}, {}});
  for (const Measurement* m : book.earlier()) {
    add_curve(out, m, name, band,
              {{}, intervention_line(m->intervention, dark), intervention_name(m->intervention),
               false, {}, {}});
  }
  if (current != nullptr && current != book.base()) {
    add_curve(out, current, name, band,
              {{}, intervention_line(current->intervention, dark), tr("now"), true, {}, {}});
  }
  return out;
}

QVector<CurveLegend::Entry> legend_of(const QVector<BookCurve>& curves) {
  QVector<CurveLegend::Entry> entries;
  QStringList ghosts;
  for (const BookCurve& curve : curves) {
    if (curve.banded) {
      entries.push_back({curve.line, curve.name});
    } else {
      ghosts.push_back(curve.name);
    }
  }
  if (!ghosts.isEmpty()) {
    entries.push_back({std::nullopt, tr("· %1 earlier").arg(ghosts.size())});
  }
  return entries;
}

PerplexityPlot::PerplexityPlot(QWidget* parent) : PositionPlot(parent) {
  worded(this, [this] { setAccessibleName(tr("Perplexity by position")); });
  set_axis(y_axis(), AxisKind::kLog, QString());
  set_margins(40, 14);
}

void PerplexityPlot::set_curves(const QVector<BookCurve>& curves, double expected) {
  curves_ = curves;
  expected_ = expected;
  Q_EMIT dirtied();
}

void PerplexityPlot::set_log(bool log) {
  log_ = log;
  set_axis(y_axis(), log ? AxisKind::kLog : AxisKind::kLinear, QString());
  Q_EMIT dirtied();
}

void PerplexityPlot::rebuild() {
  canvas()->clearGraphs();
  std::optional<Extent> x, y;
  QVector<CleanCurve> clean;
  for (const BookCurve& curve : curves_) {
    clean.push_back(sanitize(curve.series.x, curve.series.y, log_x(), log_));
    x = united(x, reach_of(curve.series, clean.back().x_extent));
    y = united(y, clean.back().y_extent);
    if (curve.banded) {
      y = united(y, sanitize(curve.series.x, curve.low, log_x(), log_).y_extent);
      y = united(y, sanitize(curve.series.x, curve.high, log_x(), log_).y_extent);
      draw_band(curve.series.x, curve.low, curve.high, curve.line.color, log_x(), log_);
    }
  }
  for (qsizetype i = 0; i < curves_.size(); ++i) {
    LineStyle line = curves_[i].line;
    if (!curves_[i].banded) line.color = ghost(line.color);
    draw(clean[i], line);
  }
  set_placeholder(y ? QString() : tr("Not measured yet."));
  if (x && y) {
    x->high = std::max(x->high, expected_);
    set_home(x->low < x->high ? *x : padded(*x, log_x()), padded(*y, log_));
  } else {
    set_home({1, 4096}, {1, 10});
  }
}

std::optional<double> PerplexityPlot::snapped_x(const QPoint& pixel) const {
  for (auto curve = curves_.crbegin(); curve != curves_.crend(); ++curve) {
    const auto sample = nearest_sample(curve->series.x, to_x(pixel.x()), log_x());
    if (sample) return curve->series.x[*sample];
  }
  return std::nullopt;
}

std::optional<Tip> PerplexityPlot::tip_at(const QPoint& pixel) {
  const std::optional<double> x = snapped_x(pixel);
  if (!x) return std::nullopt;
  Tip tip{tr("position %1").arg(QLocale().toString(std::llround(*x))), {}};
  for (const BookCurve& curve : curves_) {
    const auto sample = sample_at(curve.series, *x);
    if (!sample) continue;
    const Series& s = curve.series;
    QString value = value_text(s.y[*sample]);
    if (s.lower.size() > *sample && s.upper.size() > *sample) {
      value = interval_text(s.y[*sample], (s.upper[*sample] - s.lower[*sample]) / 2);
    }
    const bool earlier = front() && *x > *front() && &curve == &curves_.back();
    const QString name = earlier ? tr("%1, earlier").arg(curve.name) : curve.name;
    tip.rows.push_back({curve.line, name, value});
  }
  return tip;
}

}  // namespace farstate::desktop
