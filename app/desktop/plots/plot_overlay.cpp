// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/plots/plot_overlay.h"

#include <QPainter>

namespace farstate::desktop {
namespace {

QFont row_font() { return text_font(TextSize::kSmall); }

}  // namespace

PlotOverlay::PlotOverlay(QWidget* parent) : QWidget(parent), theme_(&theme_for(ThemeMode::kLight)) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFocusPolicy(Qt::NoFocus);
}

void PlotOverlay::set_theme(const Theme& theme) {
  theme_ = &theme;
  update();
}

void PlotOverlay::set_plot_area(const QRect& area) {
  area_ = area;
  update();
}

void PlotOverlay::set_cursor_x(std::optional<double> pixel) {
  if (cursor_x_ == pixel) return;
  cursor_x_ = pixel;
  update();
}

void PlotOverlay::set_placeholder(const QString& text) {
  if (placeholder_ == text) return;
  placeholder_ = text;
  update();
}

void PlotOverlay::set_held(bool held) {
  held_ = held;
  update();
}

void PlotOverlay::paint_held(QPainter& painter) const {
  const QString text = tr("view held · double-click to follow");
  const QFontMetrics metrics(row_font());
  QRect rect(0, 0, metrics.horizontalAdvance(text) + 14, metrics.height() + 4);
  rect.moveTopRight(area_.topRight() + QPoint(-4, 4));
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme_->accent_soft);
  painter.drawRoundedRect(rect, 4, 4);
  painter.setFont(row_font());
  painter.setPen(theme_->text);
  painter.drawText(rect, Qt::AlignCenter, text);
}

void PlotOverlay::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (!placeholder_.isEmpty()) {
    painter.setFont(text_font(TextSize::kBody));
    painter.setPen(theme_->muted);
    painter.drawText(area_, Qt::AlignCenter | Qt::TextWordWrap, placeholder_);
  }
  if (cursor_x_ && *cursor_x_ >= area_.left() && *cursor_x_ <= area_.right() + 1) {
    painter.setPen(QPen(theme_->cursor, 1));
    painter.drawLine(QPointF(*cursor_x_, area_.top()), QPointF(*cursor_x_, area_.bottom()));
  }
  if (held_) paint_held(painter);
}

}  // namespace farstate::desktop
