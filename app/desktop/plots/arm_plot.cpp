// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/plots/arm_plot.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

#include "app/desktop/plots/qcp.h"
#include "app/desktop/plots/ticks.h"
#include "core/results/series.h"

namespace farstate::desktop {

namespace {

constexpr qreal kMarker = 6;
constexpr int kMarkerEvery = 12;  // samples
constexpr int kNear = 5;          // pixels from a mark that its words are shown at

CleanCurve clean_of(const ArmPlot::Content& content, const ArmPlot::Curve& curve) {
  return sanitize(curve.x, curve.y, content.log_x, content.log_y);
}

}  // namespace

ArmPlot::ArmPlot(QWidget* parent) : PositionPlot(parent) {
  set_margins(38, 10, 7);
  be_terse();
  set_axis(y_axis(), AxisKind::kLog, QString());
  set_zoomable(Qt::Horizontal);  // a y range of its own would hide how arms differ
}

void ArmPlot::show(const Content& content, const std::optional<Extent>& x,
                   const std::optional<Extent>& y) {
  if (content.over != content_.over || content.log_x != content_.log_x) set_x(content);
  if (content.log_y != content_.log_y) {
    set_axis(y_axis(), content.log_y ? AxisKind::kLog : AxisKind::kLinear, QString());
  }
  content_ = content;
  x_ = x;
  y_ = y;
  Q_EMIT dirtied();
}

QString ArmPlot::x_name(Over over) {
  const QString names[] = {tr("position (tokens)"), tr("optimiser step"), tr("dropped tokens")};
  return names[static_cast<int>(over)];
}

void ArmPlot::set_x(const Content& content) {
  set_axis(x_axis(), content.log_x ? AxisKind::kOctaves : AxisKind::kLinear,
           [over = content.over] { return x_name(over); });
  follow();  // a range over the one says nothing over the other
}

std::optional<Extent> ArmPlot::x_extent(const Content& content) {
  std::optional<Extent> all;
  for (const Curve& curve : content.curves) {
    std::optional<Extent> drawn = clean_of(content, curve).x_extent;
    if (drawn) drawn->high = std::max(drawn->high, curve.end);
    all = united(all, drawn);
  }
  return all;
}

std::optional<Extent> ArmPlot::y_extent(const Content& content) {
  std::optional<Extent> all;
  for (const Curve& curve : content.curves) all = united(all, clean_of(content, curve).y_extent);
  return all;
}

void ArmPlot::rebuild() {
  canvas()->clearGraphs();
  for (QCPItemStraightLine* line : verticals_) canvas()->removeItem(line);
  verticals_.clear();
  bool drawn = false;
  for (const Curve& curve : content_.curves) {
    const CleanCurve clean = clean_of(content_, curve);
    LineStyle line = curve.line;
    if (curve.rank != Rank::kMean) line.color = ghost(line.color);
    if (curve.rank == Rank::kSeed) line.dash.clear();
    draw(clean, line, curve.rank == Rank::kMean ? 2 : 1);
    drawn |= clean.x_extent.has_value() && curve.rank != Rank::kBehind;
    if (curve.rank == Rank::kMean) add_shape(clean, curve.line);
  }
  set_placeholder(drawn ? QString() : content_.empty);
  if (!drawn) canvas()->clearGraphs();
  if (x_ && y_) {
    set_home(x_->low < x_->high ? *x_ : padded(*x_, log_x()), padded(*y_, content_.log_y));
  } else {
    set_home({1, 4096}, {1, 10});
  }
  if (!drawn) return;
  for (const Mark& mark : content_.marks) add_vertical(mark.x, pen_of({theme().warning, {2, 3}}));
  if (content_.now) add_vertical(*content_.now, QPen(theme().cursor, 1));
}

// The arm's shape on some of its samples, so that it is known where colours aren't seen.
void ArmPlot::add_shape(const CleanCurve& curve, const LineStyle& line) {
  if (line.marker == Marker::kNone || content_.over == Over::kSteps) return;
  QVector<double> x, y;
  for (qsizetype i = kMarkerEvery / 2; i < curve.x.size(); i += kMarkerEvery) {
    if (std::isfinite(curve.y[i])) {
      x.push_back(curve.x[i]);
      y.push_back(curve.y[i]);
    }
  }
  QCPGraph* graph = canvas()->addGraph();
  graph->setPen(Qt::NoPen);  // shapes without a pen of their own would take the graph's
  graph->setLineStyle(QCPGraph::lsNone);
  const QPainterPath marker = marker_path(line.marker, kMarker);
  graph->setScatterStyle(line.hollow
                             ? QCPScatterStyle(marker, QPen(line.color, 1.3), theme().surface)
                             : QCPScatterStyle(marker, Qt::NoPen, line.color));
  graph->setData(x, y);
}

void ArmPlot::add_vertical(double x, const QPen& pen) {
  using P = QCPItemPosition;
  auto* line = new QCPItemStraightLine(canvas());
  for (P* point : {line->point1, line->point2}) {
    point->setTypeX(P::ptPlotCoords);
    point->setTypeY(P::ptAxisRectRatio);
  }
  line->point1->setCoords(x, 0);
  line->point2->setCoords(x, 1);
  line->setPen(pen);
  verticals_.push_back(line);
}

std::optional<double> ArmPlot::snapped_x(const QPoint& pixel) const {
  for (auto curve = content_.curves.crbegin(); curve != content_.curves.crend(); ++curve) {
    const auto sample = nearest_sample(curve->x, to_x(pixel.x()), log_x());
    if (sample) return curve->x[*sample];
  }
  return std::nullopt;
}

std::optional<Tip> ArmPlot::tip_at(const QPoint& pixel) {
  const std::optional<double> x = snapped_x(pixel);
  if (!x || has_placeholder()) return std::nullopt;
  const QString at = QLocale().toString(std::llround(*x));
  Tip tip{content_.over == Over::kPosition ? tr("position %1").arg(at)
          : content_.over == Over::kSteps  ? tr("step %1").arg(at)
                                           : tr("%1 tokens dropped").arg(at),
          {}};
  for (const Curve& curve : content_.curves) {
    const auto sample = nearest_sample(curve.x, *x, log_x());
    if (!sample || curve.name.isEmpty() || std::abs(curve.x[*sample] - *x) > 0.1 * *x + 0.5)
      continue;
    tip.rows.push_back({curve.line, curve.name, value_text(curve.y[*sample]), to_height(curve.y[*sample])});
  }
  for (const Mark& mark : content_.marks) {
    if (std::abs(to_pixel(mark.x) - pixel.x()) > kNear) continue;
    tip.rows.push_back({std::nullopt, mark.text, {}});
  }
  return tip;
}

QString ArmPlot::title() const {
  return tr("%1: %2", "arm, what its plot shows").arg(accessibleName(), content_.quantity);
}

DataTable ArmPlot::numbers() const {
  std::vector<DataCurve> curves;
  for (const Curve& curve : content_.curves) curves.push_back({curve.name, curve.x, curve.y});
  return table_of(x_name(content_.over), curves);
}

QVector<CurveLegend::Entry> ArmPlot::legend() const {
  QVector<CurveLegend::Entry> entries;
  for (const Curve& curve : content_.curves) {
    if (curve.rank == Rank::kSeed || curve.name.isEmpty()) continue;
    LineStyle line = curve.line;
    if (curve.rank == Rank::kBehind) line.color = ghost(line.color);
    entries.push_back({line, curve.name});
  }
  return entries;
}

}  // namespace farstate::desktop
