// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/plots/qq_plot.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

#include "app/desktop/models/measurement_book.h"
#include "app/desktop/plots/qcp.h"
#include "app/desktop/plots/ticks.h"
#include "app/desktop/sample_style.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {
namespace {

constexpr double kDot = 3.2;

double normal_share(double z) { return std::erfc(-z / std::sqrt(2.0)) / 2; }

}  // namespace

QqPlot::QqPlot(QWidget* parent) : LivePlot(parent) {
  worded(this,
         [this] { setAccessibleName(tr("Quantiles of the elements over those of a Gaussian")); });
  set_axis(x_axis(), AxisKind::kLinear, [] { return tr("standard normal quantile"); });
  set_axis(y_axis(), AxisKind::kLinear, QString());
  set_margins(30, 10, 6);
  set_zoomable({});
}

void QqPlot::set_states(const PinnedStates& states) {
  states_ = states;
  Q_EMIT dirtied();
}

void QqPlot::set_against(Against against) {
  against_ = against;
  Q_EMIT dirtied();
}

std::pair<std::vector<double>, std::vector<double>> QqPlot::dots(Sample sample) const {
  std::pair<std::vector<double>, std::vector<double>> out;
  const ElementDistribution* elements = states_.elements[sample];
  if (elements == nullptr) return out;
  const ElementDistribution* training = states_.elements[kTraining];
  const ElementDistribution& fitted =
      against_ == Against::kTraining && training != nullptr ? *training : *elements;
  if (!(fitted.std > 0)) return out;
  const std::vector<double>& normal = states_.report->normal_quantiles;
  const size_t count = std::min(normal.size(), elements->quantiles.size());
  for (size_t i = 0; i < count; ++i) {
    out.first.push_back(normal[i]);
    out.second.push_back((elements->quantiles[i] - fitted.mean) / fitted.std);
  }
  return out;
}

void QqPlot::draw_diagonal(const Extent& x) {
  QCPGraph* graph = canvas()->addGraph();
  graph->setPen(pen_of({theme().muted, {4, 3}}));
  graph->setData({x.low, x.high}, {x.low, x.high});
}

void QqPlot::rebuild() {
  canvas()->clearGraphs();
  std::optional<Extent> x, y;
  std::array<CleanCurve, kSampleCount> curves;
  for (const Sample sample : kSamples) {
    const auto [normal, values] = dots(sample);
    curves[sample] = sanitize(normal, values, false, false);
    x = united(x, curves[sample].x_extent);
    y = united(y, curves[sample].y_extent);
  }
  set_placeholder(x && y ? QString() : tr("No quantiles in this answer."));
  if (!x || !y) return;
  draw_diagonal(*x);
  for (const Sample sample : kSamples) {
    QCPGraph* graph = canvas()->addGraph();
    graph->setLineStyle(QCPGraph::lsNone);
    graph->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssDisc, sample_color(sample, theme()), kDot));
    graph->setData(curves[sample].x, curves[sample].y);
  }
  set_home(padded(*x, false), padded(*united(y, x), false));
}

std::optional<double> QqPlot::snapped_x(const QPoint& pixel) const {
  if (states_.report == nullptr || has_placeholder()) return std::nullopt;
  const auto nearest = nearest_sample(states_.report->normal_quantiles, to_x(pixel.x()), false);
  if (!nearest) return std::nullopt;
  return states_.report->normal_quantiles[*nearest];
}

std::optional<Tip> QqPlot::tip_at(const QPoint& pixel) {
  const std::optional<double> x = snapped_x(pixel);
  if (!x) return std::nullopt;
  const auto quantile = *nearest_sample(states_.report->normal_quantiles, *x, false);
  Tip tip{tr("quantile at %1 %").arg(QLocale().toString(100 * normal_share(*x), 'f', 1)), {}};
  for (const Sample sample : kSamples) {
    const ElementDistribution* elements = states_.elements[sample];
    if (elements == nullptr || quantile >= elements->quantiles.size()) continue;
    tip.rows.push_back({LineStyle{sample_color(sample, theme()), {}},
                        sample_name(sample, states_), value_text(elements->quantiles[quantile])});
  }
  return tip;
}

DataTable QqPlot::numbers() const {
  std::vector<DataCurve> curves;
  for (const Sample sample : kSamples) {
    auto [normal, values] = dots(sample);
    if (normal.empty()) continue;
    curves.push_back({sample_name(sample, states_), std::move(normal), std::move(values)});
  }
  return table_of(tr("standard normal quantile"), curves);
}

QVector<CurveLegend::Entry> QqPlot::legend() const { return legend_of(states_, theme()); }

}  // namespace farstate::desktop
