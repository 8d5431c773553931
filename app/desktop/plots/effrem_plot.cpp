// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/plots/effrem_plot.h"

#include <QLocale>
#include <cmath>

#include "app/desktop/plots/qcp.h"
#include "app/desktop/plots/ticks.h"

namespace farstate::desktop {

EffremPlot::EffremPlot(QWidget* parent) : LivePlot(parent) {
  setAccessibleName(tr("Effective remembrance"));
  set_axis(x_axis(), AxisKind::kLinear, tr("dropped tokens t"));
  set_axis(y_axis(), AxisKind::kLog, QString());
  set_margins(44, 14);
  zero_note_ = new QCPItemText(canvas());
  zero_note_->position->setType(QCPItemPosition::ptAxisRectRatio);
  zero_note_->position->setCoords(0, 0);
  zero_note_->setPositionAlignment(Qt::AlignLeft | Qt::AlignBottom);
  zero_note_->setPadding(QMargins(0, 0, 0, 4));
  zero_note_->setClipToAxisRect(false);
  zero_note_->setText(tr("▲ 0 at t = 0, by definition"));
}

void EffremPlot::set_curves(const QVector<BookCurve>& curves) {
  curves_ = curves;
  Q_EMIT dirtied();
}

void EffremPlot::set_log(bool log) {
  log_ = log;
  set_axis(y_axis(), log ? AxisKind::kLog : AxisKind::kLinear, QString());
  Q_EMIT dirtied();
}

void EffremPlot::recolor() {
  zero_note_->setColor(theme().muted);
  zero_note_->setFont(text_font(TextSize::kSmall));
}

void EffremPlot::rebuild() {
  canvas()->clearGraphs();
  std::optional<Extent> x, y;
  bool zero_at_start = false;
  for (const BookCurve& curve : curves_) {
    const CleanCurve clean = sanitize(curve.series.x, curve.series.y, false, log_);
    x = united(x, clean.x_extent);
    y = united(y, clean.y_extent);
    zero_at_start |= clean.floor_x.contains(0.0);
    LineStyle line = curve.line;
    if (!curve.banded) line.color = ghost(line.color);
    draw(clean, line);
  }
  zero_note_->setVisible(zero_at_start);
  set_placeholder(x ? QString() : tr("Not measured yet."));
  if (x && y) {
    const double side = 0.015 * (x->high - x->low);  // room for the marker at t = 0
    set_home(side > 0 ? Extent{x->low - side, x->high + side} : padded(*x, false),
             padded(*y, log_));
  } else {
    set_home({0, 4096}, {0.01, 1});
  }
}

std::optional<double> EffremPlot::snapped_x(const QPoint& pixel) const {
  for (auto curve = curves_.crbegin(); curve != curves_.crend(); ++curve) {
    const auto sample = nearest_sample(curve->series.x, to_x(pixel.x()), false);
    if (sample) return curve->series.x[*sample];
  }
  return std::nullopt;
}

std::optional<Tip> EffremPlot::tip_at(const QPoint& pixel) {
  const std::optional<double> x = snapped_x(pixel);
  if (!x) return std::nullopt;
  Tip tip{tr("%1 tokens dropped").arg(QLocale().toString(std::llround(*x))), {}};
  for (const BookCurve& curve : curves_) {
    const auto sample = nearest_sample(curve.series.x, *x, false);
    if (!sample || std::abs(curve.series.x[*sample] - *x) > 0.5) continue;
    tip.rows.push_back({curve.line, curve.name, value_text(curve.series.y[*sample])});
  }
  return tip;
}

}  // namespace farstate::desktop
