// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/plots/score_plot.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

#include "app/desktop/plots/qcp.h"
#include "app/desktop/plots/ticks.h"
#include "core/results/series.h"

namespace farstate::desktop {
namespace {

constexpr qreal kMarker = 7;
constexpr double kApart = 0.022;  // octaves between two curves' bars, which else hide each other
constexpr double kEdge = 0.04;    // above 1 and below 0, where markers need room

}  // namespace

ScorePlot::ScorePlot(QWidget* parent) : PositionPlot(parent) {
  set_margins(40, 14);
  set_axis(y_axis(), AxisKind::kLinear, QString());
  set_zoomable(Qt::Horizontal);
  name_axis();
}

QString ScorePlot::unit() const { return letters_ ? tr("letters") : tr("tokens"); }

void ScorePlot::set_letters(bool letters) {
  if (letters == letters_) return;
  letters_ = letters;
  name_axis();
}

void ScorePlot::name_axis() {
  set_axis(x_axis(), AxisKind::kOctaves, [this] { return tr("length (%1)").arg(unit()); });
  const int64_t context = trained_context();  // the new axis has to be told where its label lies
  set_trained_context(0);
  set_trained_context(context);
  follow();
}

QString ScorePlot::limit_name() const {
  return letters_ ? tr("trained to %1") : PositionPlot::limit_name();
}

void ScorePlot::show_curves(const QVector<Curve>& curves, const QString& empty) {
  if (curves == curves_ && empty == empty_) return;
  curves_ = curves;
  empty_ = empty;
  Q_EMIT dirtied();
}

void ScorePlot::rebuild() {
  canvas()->clearPlottables();
  std::optional<Extent> x;
  for (const Curve& curve : curves_) {
    x = united(x, sanitize(curve.x, curve.y, true, false).x_extent);
  }
  set_placeholder(x ? QString() : empty_);
  set_home(x ? padded(*x, true) : Extent{1, 4096}, {-kEdge, 1 + kEdge});
  double shift = -kApart * static_cast<double>(curves_.size() - 1) / 2;
  for (const Curve& curve : curves_) {
    add_curve(curve, std::exp2(shift));
    shift += kApart;
  }
}

void ScorePlot::add_curve(const Curve& curve, double shift) {
  const CleanCurve clean = sanitize(curve.x, curve.y, true, false);
  QVector<double> x = clean.x + clean.dot_x, y = clean.y + clean.dot_y;
  for (double& v : x) v *= shift;
  LineStyle line = curve.line;
  if (curve.rank != Rank::kNow) line.color = ghost(line.color);
  QCPGraph* graph = canvas()->addGraph();
  graph->setPen(pen_of(line, curve.rank == Rank::kNow ? 2 : 1));
  graph->setData(x, y);
  if (line.marker != Marker::kNone && curve.rank != Rank::kReference) {
    graph->setScatterStyle(
        QCPScatterStyle(marker_path(line.marker, kMarker), Qt::NoPen, line.color));
  }
  if (curve.low.size() != curve.x.size() || curve.high.size() != curve.x.size()) return;
  QVector<double> below, above;
  for (size_t i = 0; i < curve.x.size(); ++i) {
    if (!std::isfinite(curve.y[i])) continue;
    below.push_back(curve.y[i] - curve.low[i]);
    above.push_back(curve.high[i] - curve.y[i]);
  }
  auto* bars = new QCPErrorBars(canvas()->xAxis, canvas()->yAxis);
  bars->setDataPlottable(graph);
  bars->setErrorType(QCPErrorBars::etValueError);
  bars->setPen(QPen(line.color, 1));
  bars->setWhiskerWidth(5);
  bars->setSymbolGap(0);
  bars->setData(below, above);
}

std::optional<double> ScorePlot::snapped_x(const QPoint& pixel) const {
  std::optional<double> best;
  for (const Curve& curve : curves_) {
    const auto sample = nearest_sample(curve.x, to_x(pixel.x()), true);
    if (!sample) continue;
    const double x = curve.x[*sample];
    if (!best || std::abs(to_pixel(x) - pixel.x()) < std::abs(to_pixel(*best) - pixel.x())) {
      best = x;
    }
  }
  return best;
}

std::optional<Tip> ScorePlot::tip_at(const QPoint& pixel) {
  const std::optional<double> x = snapped_x(pixel);
  if (!x || has_placeholder()) return std::nullopt;
  Tip tip{tr("%1 %2", "length, unit").arg(QLocale().toString(std::llround(*x)), unit()), {}};
  for (const Curve& curve : curves_) {
    const auto at = std::find(curve.x.begin(), curve.x.end(), *x);
    if (at == curve.x.end()) continue;
    const auto i = static_cast<size_t>(at - curve.x.begin());
    tip.rows.push_back({curve.line, curve.name,
                        i < curve.details.size() ? curve.details[i] : value_text(curve.y[i]),
                        to_height(curve.y[i])});
  }
  return tip;
}

DataTable ScorePlot::numbers() const {
  std::vector<DataCurve> curves;
  for (const Curve& curve : curves_) {
    curves.push_back({curve.name, curve.x, curve.y});
    if (curve.low.size() != curve.x.size() || curve.high.size() != curve.x.size()) continue;
    curves.push_back({tr("%1, low").arg(curve.name), curve.x, curve.low});
    curves.push_back({tr("%1, high").arg(curve.name), curve.x, curve.high});
  }
  return table_of(tr("length (%1)").arg(unit()), curves);
}

QVector<CurveLegend::Entry> ScorePlot::legend() const {
  QVector<CurveLegend::Entry> entries;
  for (const Curve& curve : curves_) entries.push_back({curve.line, curve.name});
  return entries;
}

}  // namespace farstate::desktop
