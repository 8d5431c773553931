// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/plots/loss_plot.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

#include "app/desktop/models/debiased_mean.h"
#include "app/desktop/models/measurement_book.h"
#include "app/desktop/plots/qcp.h"
#include "app/desktop/plots/ticks.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {
namespace {

constexpr double kNear = 5;  // pixels from a mark that its words are shown at

}  // namespace

LossPlot::LossPlot(QWidget* parent) : LivePlot(parent) {
  worded(this, [this] { setAccessibleName(tr("Training loss")); });
  set_axis(x_axis(), AxisKind::kLinear, [] { return tr("optimiser step"); });
  set_axis(y_axis(), AxisKind::kLinear, QString());
  set_margins(44, 14);
}

void LossPlot::clear() {
  record_.history.clear();
  record_.markers.clear();
  Q_EMIT dirtied();
}

void LossPlot::begin_segment(Intervention kind) {
  record_.history.begin_segment(kind);
  Q_EMIT dirtied();
}

void LossPlot::mark(int64_t step, Intervention kind, const QString& text) {
  record_.markers.push_back({step, kind, text});
  begin_segment(kind);
}

void LossPlot::add(const std::vector<TrainPoint>& points) {
  if (points.empty()) return;
  record_.history.add(points);
  Q_EMIT dirtied();
}

void LossPlot::set_record(Record record) {
  record_ = std::move(record);
  Q_EMIT dirtied();
}

void LossPlot::set_log(bool log) {
  log_ = log;
  set_axis(y_axis(), log ? AxisKind::kLog : AxisKind::kLinear, QString());
  Q_EMIT dirtied();
}

void LossPlot::set_smoothing(double share) {
  smoothing_ = std::clamp(share, 0.0, kMostSmoothing);
  Q_EMIT dirtied();
}

std::vector<std::vector<double>> LossPlot::losses() const {
  std::vector<std::vector<double>> out;
  for (const LossHistory::Segment& segment : record_.history.segments()) {
    out.push_back(segment.losses);
  }
  return out;
}

// One mean over all of the training: a change of the initial state does not begin it anew.
std::vector<std::vector<double>> LossPlot::smoothed() const {
  std::vector<std::vector<double>> out;
  DebiasedMean mean(smoothing_);
  for (const LossHistory::Segment& segment : record_.history.segments()) {
    std::vector<double>& values = out.emplace_back();
    for (size_t i = 0; i < segment.steps.size(); ++i) {
      values.push_back(mean.add(segment.steps[i], segment.losses[i]));
    }
  }
  return out;
}

void LossPlot::rebuild() {
  canvas()->clearGraphs();
  canvas()->clearItems();
  std::optional<Extent> x, y;
  const auto raw = losses();
  const auto mean = smoothing_ > 0 ? smoothed() : raw;
  for (size_t i = 0; i < record_.history.segments().size(); ++i) {
    const Intervention kind = record_.history.segments()[i].kind;
    const LineStyle line{intervention_line(kind, theme().dark).color, {}};
    const CleanCurve clean = clean_segment(i, raw);
    x = united(x, clean.x_extent);
    y = united(y, clean.y_extent);
    if (smoothing_ > 0) {
      draw(clean, {ghost(ghost(line.color)), {}});
      draw_line(clean_segment(i, mean), line);
    } else {
      draw(clean, line);
    }
  }
  set_placeholder(record_.history.empty()
                      ? tr("Run (Space) trains: the loss appears here with the first step.")
                      : QString());
  if (x && y) {
    const double last = std::max(x->high, x->low + 1);
    set_home({x->low, last + 0.01 * (last - x->low)}, padded(*y, log_));
  } else {
    set_home({0, 100}, {0.1, 1});
  }
  if (!record_.history.empty()) add_markers();
}

// Begins where the part before it ended, so that the curve has no gap at a change.
CleanCurve LossPlot::clean_segment(size_t segment,
                                   const std::vector<std::vector<double>>& values) const {
  const std::vector<LossHistory::Segment>& all = record_.history.segments();
  size_t before = segment;
  while (before > 0 && (before == segment || all[before].steps.empty())) --before;
  if (before == segment || all[before].steps.empty() || all[segment].steps.empty()) {
    return sanitize(all[segment].steps, values[segment], false, log_);
  }
  std::vector<double> steps{all[before].steps.back()}, joined{values[before].back()};
  steps.insert(steps.end(), all[segment].steps.begin(), all[segment].steps.end());
  joined.insert(joined.end(), values[segment].begin(), values[segment].end());
  return sanitize(steps, joined, false, log_);
}

// From the newest to the oldest: where two names would run into each other, the newer one stays.
void LossPlot::add_markers() {
  const QFontMetrics metrics(text_font(TextSize::kSmall));
  double free_until = 1e9;
  for (auto marker = record_.markers.crbegin(); marker != record_.markers.crend(); ++marker) {
    const double left = to_pixel(static_cast<double>(marker->step));
    const bool named = left + metrics.horizontalAdvance(marker->text) + 6 < free_until;
    add_marker_item(*marker, named);
    if (named) free_until = left;
  }
}

void LossPlot::add_marker_item(const Marker& marker, bool named) {
  using P = QCPItemPosition;
  const QColor color = intervention_line(marker.kind, theme().dark).color;
  const double x = static_cast<double>(marker.step);
  auto* line = new QCPItemStraightLine(canvas());
  line->point1->setTypeX(P::ptPlotCoords);
  line->point2->setTypeX(P::ptPlotCoords);
  line->point1->setTypeY(P::ptAxisRectRatio);
  line->point2->setTypeY(P::ptAxisRectRatio);
  line->point1->setCoords(x, 0);
  line->point2->setCoords(x, 1);
  line->setPen(pen_of({color, {4, 3}}));
  if (!named) return;
  auto* label = new QCPItemText(canvas());
  label->position->setTypeX(P::ptPlotCoords);
  label->position->setTypeY(P::ptAxisRectRatio);
  label->position->setCoords(x, 0);
  label->setPositionAlignment(Qt::AlignLeft | Qt::AlignBottom);
  label->setPadding(QMargins(0, 0, 0, 4));
  label->setClipToAxisRect(false);
  label->setText(marker.text);
  label->setFont(text_font(TextSize::kSmall));
  label->setColor(color);
}

const LossHistory::Segment* LossPlot::segment_at(double step) const {
  for (auto s = record_.history.segments().rbegin(); s != record_.history.segments().rend(); ++s) {
    if (!s->steps.empty() && s->steps.front() <= step + 0.5) return &*s;
  }
  return nullptr;
}

std::optional<double> LossPlot::snapped_x(const QPoint& pixel) const {
  const double wanted = to_x(pixel.x());
  const LossHistory::Segment* segment = segment_at(wanted);
  if (segment == nullptr && !record_.history.empty()) {
    segment = &record_.history.segments().front();
  }
  if (segment == nullptr) return std::nullopt;
  const auto sample = nearest_sample(segment->steps, wanted, false);
  return sample ? std::optional(segment->steps[*sample]) : std::nullopt;
}

std::optional<Tip> LossPlot::tip_at(const QPoint& pixel) {
  const std::optional<double> step = snapped_x(pixel);
  const LossHistory::Segment* segment = step ? segment_at(*step) : nullptr;
  if (segment == nullptr) return std::nullopt;
  const auto sample = nearest_sample(segment->steps, *step, false);
  if (!sample) return std::nullopt;
  const LineStyle line{intervention_line(segment->kind, theme().dark).color, {}};
  Tip tip{tr("step %1").arg(QLocale().toString(std::llround(*step))),
          {{line, intervention_name(segment->kind),
            tr("%1 nats").arg(value_text(segment->losses[*sample]))}}};
  if (smoothing_ > 0) {
    const auto of = static_cast<size_t>(segment - record_.history.segments().data());
    tip.rows.push_back({std::nullopt, tr("smoothed"),
                        tr("%1 nats").arg(value_text(smoothed()[of][*sample]))});
  }
  for (const Marker& marker : record_.markers) {
    const double at = to_pixel(static_cast<double>(marker.step));
    if (std::abs(at - pixel.x()) <= kNear) tip.rows.push_back({std::nullopt, marker.text, {}});
  }
  return tip;
}

DataTable LossPlot::numbers() const {
  DataTable table{{tr("optimiser step"), tr("loss (nats)"), tr("initial state")}, {}};
  const bool mean = smoothing_ > 0;
  if (mean) table.columns.push_back(tr("smoothed by %1").arg(smoothing_));
  const auto means = smoothed();
  for (size_t s = 0; s < record_.history.segments().size(); ++s) {
    const LossHistory::Segment& segment = record_.history.segments()[s];
    for (size_t i = 0; i < segment.steps.size(); ++i) {
      auto& row = table.rows.emplace_back();
      row = {segment.steps[i], segment.losses[i], intervention_name(segment.kind)};
      if (mean) row.push_back(means[s][i]);
    }
  }
  return table;
}

}  // namespace farstate::desktop
