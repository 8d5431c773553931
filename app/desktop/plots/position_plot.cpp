// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/plots/position_plot.h"

#include <QLocale>

#include "app/desktop/plots/axis_ticker.h"
#include "app/desktop/plots/qcp.h"

namespace farstate::desktop {

PositionPlot::PositionPlot(QWidget* parent) : LivePlot(parent) {
  set_axis(x_axis(), AxisKind::kOctaves, tr("position (tokens)"));
  using P = QCPItemPosition;
  beyond_ = new QCPItemRect(canvas());
  beyond_->setLayer(QStringLiteral("background"));
  beyond_->setPen(Qt::NoPen);
  beyond_->topLeft->setTypeX(P::ptPlotCoords);
  beyond_->topLeft->setTypeY(P::ptAxisRectRatio);
  beyond_->bottomRight->setType(P::ptAxisRectRatio);
  beyond_->bottomRight->setCoords(1, 1);
  limit_ = new QCPItemStraightLine(canvas());
  limit_->setLayer(QStringLiteral("overlay"));
  limit_->point1->setTypeX(P::ptPlotCoords);
  limit_->point2->setTypeX(P::ptPlotCoords);
  limit_->point1->setTypeY(P::ptAxisRectRatio);
  limit_->point2->setTypeY(P::ptAxisRectRatio);
  never_ = new QCPItemText(canvas());
  context_label_ = new QCPItemText(canvas());
  for (QCPItemText* text : {never_, context_label_}) {
    text->setClipToAxisRect(false);
    text->position->setTypeX(P::ptPlotCoords);
    text->position->setTypeY(P::ptAxisRectRatio);
    text->setPadding(QMargins());
  }
  never_->setText(tr("never trained here"));
  never_->setPositionAlignment(Qt::AlignLeft | Qt::AlignBottom);
  never_->setPadding(QMargins(6, 0, 0, 4));
  context_label_->setPositionAlignment(Qt::AlignHCenter | Qt::AlignTop);
  context_label_->setPadding(QMargins(0, 5, 0, 0));
  connect(canvas(), &QCustomPlot::beforeReplot, this, [this] { place_limit(); });
}

void PositionPlot::set_trained_context(int64_t context) {
  if (context_ == context) return;
  context_ = context;
  qSharedPointerCast<AxisTicker>(x_axis()->ticker())
      ->set_reference(context > 0 ? std::optional(static_cast<double>(context)) : std::nullopt);
  Q_EMIT dirtied();
}

// The limit is hidden, label and all, where a zoom has moved it out of sight.
void PositionPlot::place_limit() {
  const auto t = static_cast<double>(context_);
  const bool inside =
      context_ > 0 && !has_placeholder() && t >= x_range().low && t <= x_range().high;
  limit_->setVisible(inside);
  context_label_->setVisible(inside);
  never_->setVisible(inside);
  beyond_->setVisible(context_ > 0 && !has_placeholder() && t <= x_range().high);
  if (context_ <= 0) return;
  beyond_->topLeft->setCoords(t, 0);
  limit_->point1->setCoords(t, 0);
  limit_->point2->setCoords(t, 1);
  never_->position->setCoords(t, 0);
  context_label_->position->setCoords(t, 1);
  context_label_->setText(tr("T = %1").arg(QLocale().toString(context_)));
}

void PositionPlot::recolor() {
  beyond_->setBrush(theme().beyond);
  set_limit_color(theme().trained_limit);
  never_->setColor(theme().muted);
  never_->setFont(text_font(TextSize::kSmall));
  context_label_->setColor(theme().text);
  context_label_->setFont(text_font(TextSize::kSmall, QFont::DemiBold));
}

void PositionPlot::set_limit_color(const QColor& color) { limit_->setPen(pen_of({color, {4, 3}})); }

void PositionPlot::pointed(std::optional<double> x) {
  show_cursor(x);
  Q_EMIT pointed_at(x);
}

void PositionPlot::follow_cursor(std::optional<double> position) { show_cursor(position); }

}  // namespace farstate::desktop
