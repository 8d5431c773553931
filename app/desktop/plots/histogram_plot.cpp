// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/plots/histogram_plot.h"

#include <QLocale>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/desktop/plots/qcp.h"
#include "app/desktop/plots/ticks.h"
#include "app/desktop/sample_style.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

constexpr int kGaussianPoints = 160;
constexpr double kHighest = 1.6;  // of the fitted law's density, in the histogram's

QString share_text(int64_t count, int64_t of) {
  return HistogramPlot::tr("%1 %").arg(value_text(100 * double(count) / double(of)));
}

}  // namespace

HistogramPlot::HistogramPlot(QWidget* parent) : LivePlot(parent) {
  worded(this, [this] { setAccessibleName(tr("Histogram of the elements of h")); });
  set_axis(x_axis(), AxisKind::kLinear, [] { return tr("element of h"); });
  set_axis(y_axis(), AxisKind::kLinear, QString());
  set_margins(10, 10, 6);
  set_zoomable({});
  y_axis()->setTickLabels(false);
  y_axis()->grid()->setVisible(false);
  for (const Sample sample : kSamples) {
    for (QCPItemText** text : {&below_[sample], &above_[sample]}) {
      const bool below = text == &below_[sample];
      *text = new QCPItemText(canvas());
      (*text)->setText({});
      (*text)->position->setType(QCPItemPosition::ptAxisRectRatio);
      (*text)->setPositionAlignment((below ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignTop);
      (*text)->setClipToAxisRect(false);
      (*text)->setPadding(QMargins());
    }
  }
}

void HistogramPlot::set_states(const PinnedStates& states) {
  states_ = states;
  Q_EMIT dirtied();
}

void HistogramPlot::set_fitted(Sample sample) {
  fitted_ = sample;
  Q_EMIT dirtied();
}

void HistogramPlot::set_log(bool log) {
  log_ = log;
  set_axis(y_axis(), log ? AxisKind::kLog : AxisKind::kLinear, QString());
  Q_EMIT dirtied();
}

bool HistogramPlot::has_bins(Sample sample) const {
  const ElementDistribution* elements = states_.elements[sample];
  return elements != nullptr && elements->counted > 0 && !elements->counts.empty() &&
         states_.head->edges.size() == elements->counts.size() + 1;
}

// The density at the middle of each bin, joined and filled; empty bins are 0, and on a log axis
// where the fill ends.
std::optional<Extent> HistogramPlot::fill(Sample sample) {
  const std::vector<double>& edges = states_.head->edges;
  const ElementDistribution& elements = *states_.elements[sample];
  std::vector<double> x, y;
  for (size_t i = 0; i < elements.counts.size(); ++i) {
    const double width = edges[i + 1] - edges[i];
    x.push_back((edges[i] + edges[i + 1]) / 2);
    y.push_back(double(elements.counts[i]) / (double(elements.counted) * width));
  }
  const CleanCurve curve = sanitize(x, y, false, log_);
  QCPGraph* graph = canvas()->addGraph();
  const QColor color = sample_color(sample, theme());
  QColor ground = color;
  ground.setAlphaF(theme().dark ? 0.26F : 0.22F);
  graph->setPen(QPen(color, 1));
  graph->setBrush(ground);
  graph->setData(curve.x, curve.y);
  return curve.y_extent;
}

std::optional<Extent> HistogramPlot::draw_gaussian(double mean, double std,
                                                   const LineStyle& line) {
  const double low = states_.head->edges.front(), high = states_.head->edges.back();
  if (!(std > 0) || !(high > low)) return std::nullopt;
  std::vector<double> x, y;
  for (int i = 0; i <= kGaussianPoints; ++i) {
    x.push_back(low + (high - low) * i / kGaussianPoints);
    const double z = (x.back() - mean) / std;
    y.push_back(std::exp(-z * z / 2) / (std * std::sqrt(2 * std::numbers::pi)));
  }
  const CleanCurve curve = sanitize(x, y, false, log_);
  QCPGraph* graph = canvas()->addGraph();
  graph->setPen(pen_of(line));
  graph->setData(curve.x, curve.y);
  return curve.y_extent;
}

void HistogramPlot::mark_outside(Sample sample) {
  const bool any = has_bins(sample);
  const ElementDistribution* elements = states_.elements[sample];
  const double line = QFontMetricsF(text_font(TextSize::kSmall)).height();
  const double at = line * int(sample) / std::max(1, plot_area().height());
  const auto show = [&](QCPItemText* text, bool below, int64_t count) {
    text->setVisible(any && count > 0);
    text->position->setCoords(below ? 0 : 1, at);
    text->setFont(text_font(TextSize::kSmall));
    text->setColor(sample_color(sample, theme()));
    const QString number = short_number(double(count));
    text->setText(below ? u"◂ %1"_s.arg(number) : u"%1 ▸"_s.arg(number));
  };
  show(below_[sample], true, any ? elements->below : 0);
  show(above_[sample], false, any ? elements->above : 0);
}

void HistogramPlot::rebuild() {
  canvas()->clearGraphs();
  std::optional<Extent> y;
  for (const Sample sample : kSamples) {
    if (has_bins(sample)) y = united(y, fill(sample));
    mark_outside(sample);
  }
  set_placeholder(y ? QString() : tr("No histogram in this answer."));
  if (!y) return;
  if (has_bins(fitted_)) {
    const ElementDistribution& of = *states_.elements[fitted_];
    draw_gaussian(of.mean, of.std, {sample_color(fitted_, theme()), {4, 3}});
  }
  if (const auto line = fitted_law_line(states_, theme())) {
    const auto law = draw_gaussian(states_.head->fitted->mean, states_.head->fitted->std, *line);
    // A law that is far narrower than the states must not flatten them.
    if (law) y->high = std::max(y->high, std::min(law->high, kHighest * y->high));
  }
  const Extent x = padded({states_.head->edges.front(), states_.head->edges.back()}, false);
  set_home(x, log_ ? padded(*y, true) : Extent{0, y->high > 0 ? 1.06 * y->high : 1});
}

std::optional<size_t> HistogramPlot::bin_at(double x) const {
  if (states_.head == nullptr || has_placeholder()) return std::nullopt;
  const std::vector<double>& edges = states_.head->edges;
  const auto above = std::upper_bound(edges.begin(), edges.end(), x);
  if (above == edges.begin() || above == edges.end()) return std::nullopt;
  return static_cast<size_t>(above - edges.begin()) - 1;
}

std::optional<double> HistogramPlot::snapped_x(const QPoint& pixel) const {
  const auto bin = bin_at(to_x(pixel.x()));
  if (!bin) return std::nullopt;
  return (states_.head->edges[*bin] + states_.head->edges[*bin + 1]) / 2;
}

std::optional<Tip> HistogramPlot::tip_at(const QPoint& pixel) {
  const auto bin = bin_at(to_x(pixel.x()));
  if (!bin) return std::nullopt;
  const std::vector<double>& edges = states_.head->edges;
  Tip tip{tr("%1 to %2").arg(value_text(edges[*bin]), value_text(edges[*bin + 1])), {}};
  for (const Sample sample : kSamples) {
    if (!has_bins(sample)) continue;
    const ElementDistribution& elements = *states_.elements[sample];
    tip.rows.push_back({LineStyle{sample_color(sample, theme()), {}},
                        sample_name(sample, states_),
                        share_text(elements.counts[*bin], elements.counted)});
  }
  if (const auto line = fitted_law_line(states_, theme())) {
    const auto below = [&of = *states_.head->fitted](double x) {
      return std::erfc((of.mean - x) / (of.std * std::numbers::sqrt2)) / 2;
    };
    const double share = below(edges[*bin + 1]) - below(edges[*bin]);
    tip.rows.push_back({*line, tr("fitted law"), tr("%1 %").arg(value_text(100 * share))});
  }
  return tip;
}

DataTable HistogramPlot::numbers() const {
  DataTable table{{tr("element of h, from"), tr("to")}, {}};
  std::vector<const ElementDistribution*> samples;
  for (const Sample sample : kSamples) {
    if (!has_bins(sample)) continue;
    samples.push_back(states_.elements[sample]);
    table.columns.push_back(tr("%1, elements").arg(sample_name(sample, states_)));
  }
  for (size_t i = 0; !samples.empty() && i < samples.front()->counts.size(); ++i) {
    auto& row = table.rows.emplace_back();
    row.push_back(states_.head->edges[i]);
    row.push_back(states_.head->edges[i + 1]);
    for (const ElementDistribution* sample : samples) {
      row.push_back(static_cast<double>(sample->counts[i]));
    }
  }
  return table;
}

QVector<CurveLegend::Entry> HistogramPlot::legend() const {
  QVector<CurveLegend::Entry> entries = legend_of(states_, theme());
  if (const auto line = fitted_law_line(states_, theme())) {
    entries.push_back({*line, fitted_law_name(states_)});
  }
  return entries;
}

}  // namespace farstate::desktop
