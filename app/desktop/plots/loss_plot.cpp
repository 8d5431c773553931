// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/plots/loss_plot.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

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
  history_.clear();
  markers_.clear();
  Q_EMIT dirtied();
}

void LossPlot::begin_segment(Intervention kind) {
  history_.begin_segment(kind);
  Q_EMIT dirtied();
}

void LossPlot::mark(int64_t step, Intervention kind, const QString& text) {
  markers_.push_back({step, kind, text});
  begin_segment(kind);
}

void LossPlot::add(const std::vector<TrainPoint>& points) {
  if (points.empty()) return;
  history_.add(points);
  Q_EMIT dirtied();
}

void LossPlot::set_log(bool log) {
  log_ = log;
  set_axis(y_axis(), log ? AxisKind::kLog : AxisKind::kLinear, QString());
  Q_EMIT dirtied();
}

void LossPlot::rebuild() {
  canvas()->clearGraphs();
  canvas()->clearItems();
  std::optional<Extent> x, y;
  const LossHistory::Segment* before = nullptr;
  for (const LossHistory::Segment& segment : history_.segments()) {
    const CleanCurve clean = clean_segment(segment, before);
    x = united(x, clean.x_extent);
    y = united(y, clean.y_extent);
    draw(clean, {intervention_line(segment.kind, theme().dark).color, {}});
    if (!segment.steps.empty()) before = &segment;
  }
  set_placeholder(history_.empty() ? tr("Appears with the first training step.") : QString());
  if (x && y) {
    const double last = std::max(x->high, x->low + 1);
    set_home({x->low, last + 0.01 * (last - x->low)}, padded(*y, log_));
  } else {
    set_home({0, 100}, {0.1, 1});
  }
  if (!history_.empty()) add_markers();
}

// Begins where the part before it ended, so that the curve has no gap at a change.
CleanCurve LossPlot::clean_segment(const LossHistory::Segment& segment,
                                   const LossHistory::Segment* before) const {
  if (before == nullptr || segment.steps.empty()) {
    return sanitize(segment.steps, segment.losses, false, log_);
  }
  std::vector<double> steps{before->steps.back()}, losses{before->losses.back()};
  steps.insert(steps.end(), segment.steps.begin(), segment.steps.end());
  losses.insert(losses.end(), segment.losses.begin(), segment.losses.end());
  return sanitize(steps, losses, false, log_);
}

// From the newest to the oldest: where two names would run into each other, the newer one stays.
void LossPlot::add_markers() {
  const QFontMetrics metrics(text_font(TextSize::kSmall));
  double free_until = 1e9;
  for (auto marker = markers_.crbegin(); marker != markers_.crend(); ++marker) {
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
  for (auto s = history_.segments().rbegin(); s != history_.segments().rend(); ++s) {
    if (!s->steps.empty() && s->steps.front() <= step + 0.5) return &*s;
  }
  return nullptr;
}

std::optional<double> LossPlot::snapped_x(const QPoint& pixel) const {
  const double wanted = to_x(pixel.x());
  const LossHistory::Segment* segment = segment_at(wanted);
  if (segment == nullptr && !history_.empty()) segment = &history_.segments().front();
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
  for (const Marker& marker : markers_) {
    const double at = to_pixel(static_cast<double>(marker.step));
    if (std::abs(at - pixel.x()) <= kNear) tip.rows.push_back({std::nullopt, marker.text, {}});
  }
  return tip;
}

}  // namespace farstate::desktop
