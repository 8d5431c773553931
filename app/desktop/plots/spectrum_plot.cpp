// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/plots/spectrum_plot.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

#include "app/desktop/plots/qcp.h"
#include "app/desktop/plots/ticks.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {
namespace {

// Of the largest share; below it are the components that rounding alone makes.
constexpr double kSmallestShare = 1e-4;

}  // namespace

SpectrumPlot::SpectrumPlot(QWidget* parent) : LivePlot(parent) {
  worded(this, [this] { setAccessibleName(tr("Share of variance in each component")); });
  set_axis(x_axis(), AxisKind::kLinear, [] { return tr("component"); });
  set_axis(y_axis(), AxisKind::kLog, QString());
  set_margins(36, 6, 4);
  set_zoomable({});
}

void SpectrumPlot::set_spectrum(const std::vector<double>& measured,
                                const std::vector<double>& independent) {
  measured_ = measured;
  independent_ = independent;
  component_.clear();
  for (size_t i = 0; i < std::max(measured.size(), independent.size()); ++i) {
    component_.push_back(double(i + 1));
  }
  Q_EMIT dirtied();
}

void SpectrumPlot::rebuild() {
  canvas()->clearGraphs();
  std::optional<Extent> x, y;
  const auto add = [&](std::vector<double> shares, const LineStyle& line) {
    const double largest = shares.empty() ? 0 : *std::max_element(shares.begin(), shares.end());
    std::erase_if(shares, [&](double share) { return share < kSmallestShare * largest; });
    const CleanCurve curve = sanitize(component_, shares, false, true);
    x = united(x, curve.x_extent);
    y = united(y, curve.y_extent);
    draw(curve, line);
  };
  add(independent_, independent_line());
  add(measured_, measured_line());
  set_placeholder(x && y ? QString() : tr("No spectrum."));
  if (x && y) set_home(padded(*x, false), padded(*y, true));
}

std::optional<double> SpectrumPlot::snapped_x(const QPoint& pixel) const {
  if (component_.empty() || has_placeholder()) return std::nullopt;
  return std::clamp(std::round(to_x(pixel.x())), 1.0, component_.back());
}

std::optional<Tip> SpectrumPlot::tip_at(const QPoint& pixel) {
  const std::optional<double> x = snapped_x(pixel);
  if (!x) return std::nullopt;
  const auto i = static_cast<size_t>(*x) - 1;
  Tip tip{tr("component %1").arg(i + 1), {}};
  const auto add = [&](const std::vector<double>& shares, const LineStyle& line,
                       const QString& name) {
    if (i < shares.size()) {
      tip.rows.push_back({line, name, tr("%1 %").arg(value_text(100 * shares[i]))});
    }
  };
  add(measured_, measured_line(), tr("measured"));
  add(independent_, independent_line(), tr("if independent"));
  return tip;
}

DataTable SpectrumPlot::numbers() const {
  return table_of(tr("component"), {{tr("measured"), component_, measured_},
                                    {tr("if independent"), component_, independent_}});
}

QVector<CurveLegend::Entry> SpectrumPlot::legend() const {
  return {{measured_line(), tr("measured")}, {independent_line(), tr("if independent")}};
}

}  // namespace farstate::desktop
