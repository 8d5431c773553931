// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/plots/rate_plot.h"

#include <algorithm>
#include <cmath>

#include "app/desktop/plots/qcp.h"
#include "app/desktop/plots/ticks.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {
namespace {

// Where the loss rises for good it soon leaves all sight: above its median, which is that of the rates
// that hardly train, this many times what it fell by is shown.
constexpr double kShownAbove = 1.5;

}  // namespace

RatePlot::RatePlot(QWidget* parent) : LivePlot(parent) {
  worded(this, [this] { setAccessibleName(tr("Loss by learning rate")); });
  set_axis(x_axis(), AxisKind::kLog, [] { return tr("learning rate"); });
  set_axis(y_axis(), AxisKind::kLinear, [] { return tr("loss (nats)"); });
  set_margins(48, 12, 8);
  set_zoomable(Qt::Horizontal);
}

void RatePlot::show_finding(const LrFinding& finding) {
  finding_ = finding;
  Q_EMIT dirtied();
}

void RatePlot::rebuild() {
  canvas()->clearGraphs();
  const CleanCurve steps = sanitize(finding_.rates, finding_.losses, true, false);
  const CleanCurve mean = sanitize(finding_.rates, finding_.smoothed, true, false);
  draw(steps, step_line());
  draw(mean, mean_line(), 2);
  if (finding_.suggestion && mean.y_extent) {
    QCPGraph* at = canvas()->addGraph();
    at->setPen(QPen(theme().good, 2));
    at->setData({*finding_.suggestion, *finding_.suggestion},
                {mean.y_extent->low - 1e3, mean.y_extent->high + 1e3});
  }
  set_placeholder(mean.x_extent && mean.y_extent ? QString() : tr("No step yet."));
  if (!mean.x_extent || !mean.y_extent) return;
  Extent x = *mean.x_extent, y = *mean.y_extent;
  if (finding_.suggestion) x.low = std::min(x.low, *finding_.suggestion);
  std::vector<double> sorted = finding_.smoothed;
  const auto middle = sorted.begin() + static_cast<ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  const double fell = std::max(*middle - y.low, 0.1);
  y.high = std::min(y.high, *middle + kShownAbove * fell);
  set_home(padded(x, true), padded(y, false));
}

std::optional<size_t> RatePlot::sample_at(const QPoint& pixel) const {
  if (finding_.rates.empty() || has_placeholder()) return std::nullopt;
  const double at = to_x(pixel.x());
  const auto next = std::lower_bound(finding_.rates.begin(), finding_.rates.end(), at);
  auto i = static_cast<size_t>(next - finding_.rates.begin());
  if (i == finding_.rates.size()) return i - 1;
  if (i > 0 && at / finding_.rates[i - 1] < finding_.rates[i] / at) --i;
  return i;
}

std::optional<double> RatePlot::snapped_x(const QPoint& pixel) const {
  const std::optional<size_t> i = sample_at(pixel);
  return i ? std::optional(finding_.rates[*i]) : std::nullopt;
}

std::optional<Tip> RatePlot::tip_at(const QPoint& pixel) {
  const std::optional<size_t> i = sample_at(pixel);
  if (!i) return std::nullopt;
  Tip tip{tr("rate %1").arg(general_text(finding_.rates[*i], 3)), {}};
  if (*i < finding_.smoothed.size()) {
    tip.rows.push_back({mean_line(), tr("mean"), value_text(finding_.smoothed[*i])});
  }
  if (*i < finding_.losses.size()) {
    tip.rows.push_back({step_line(), tr("this step"), value_text(finding_.losses[*i])});
  }
  return tip;
}

DataTable RatePlot::numbers() const {
  return table_of(tr("learning rate"), {{tr("this step"), finding_.rates, finding_.losses},
                                        {tr("mean"), finding_.rates, finding_.smoothed}});
}

}  // namespace farstate::desktop
