// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/plots/plot_overlay.h"

#include <QPainter>
#include <cmath>

namespace farstate::desktop {
namespace {

constexpr int kBadge = 15;  // across

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

void PlotOverlay::set_note(const QString& note) {
  if (note_ == note) return;
  note_ = note;
  update();
}

void PlotOverlay::set_bare(bool bare) {
  bare_ = bare;
  update();
}

void PlotOverlay::set_pins(const std::array<std::optional<double>, 2>& pixels) {
  if (pins_ == pixels) return;
  pins_ = pixels;
  update();
}

void PlotOverlay::set_row(const QRect& row, const QString& name) {
  if (row_ == row && row_name_ == name) return;
  row_ = row;
  row_name_ = name;
  update();
}

// A frame where the row is high enough to show its colours within, and a wedge beside it.
void PlotOverlay::paint_row(QPainter& painter) const {
  if (row_.isEmpty()) return;
  const double middle = row_.center().y() + 0.5;
  painter.setRenderHint(QPainter::Antialiasing);
  if (!row_name_.isEmpty()) {
    const QFontMetrics metrics(row_font());
    const QRectF name(0, middle - metrics.height() / 2.0, row_.left() - 9, metrics.height());
    painter.fillRect(name.adjusted(0, -2, 0, 2), theme_->surface);  // glyphs may be higher
    painter.setFont(text_font(TextSize::kSmall, QFont::DemiBold));
    painter.setPen(theme_->text);
    painter.drawText(name, Qt::AlignVCenter | Qt::AlignRight, row_name_);
  }
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme_->accent);
  const double x = row_.left();
  painter.drawPolygon(QPolygonF{{x - 6, middle - 4}, {x - 6, middle + 4}, {x - 1, middle}});
  if (row_.height() < 5) return;
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme_->surface, 1));
  painter.drawRect(row_.adjusted(0, 0, -1, -1));
  painter.setPen(QPen(theme_->accent, 1));
  painter.drawRect(row_.adjusted(-1, -1, 0, 0));
}

void PlotOverlay::set_focused(bool focused) {
  focused_ = focused;
  update();
}

// Where the two are close, B's badge stands above A's.
QRectF PlotOverlay::badge_of(int pin) const {
  const std::optional<double>& x = pins_[static_cast<size_t>(pin)];
  if (!x || *x < area_.left() || *x > area_.right() + 1) return {};
  const std::optional<double>& a = pins_[0];
  const bool above = pin == 1 && a && std::abs(*a - *x) < kBadge;
  const double bottom = area_.bottom() - 2.0 - (above ? kBadge + 1 : 0);
  return {*x - kBadge / 2.0, bottom - kBadge, kBadge, kBadge};
}

std::optional<int> PlotOverlay::badge_at(const QPoint& pixel) const {
  for (const int pin : {1, 0}) {
    if (badge_of(pin).adjusted(-2, -2, 2, 2).contains(pixel)) return pin;
  }
  return std::nullopt;
}

void PlotOverlay::paint_pin(QPainter& painter, int pin) const {
  const QRectF badge = badge_of(pin);
  if (badge.isEmpty()) return;
  const QColor& color = pin == 0 ? theme_->pin_a : theme_->pin_b;
  const double x = std::floor(badge.center().x()) + 0.5;
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(QPen(color, 1));
  painter.drawLine(QPointF(x, area_.top()), QPointF(x, area_.bottom()));
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme_->surface, 1));
  painter.setBrush(color);
  painter.drawEllipse(badge);
  painter.setFont(text_font(TextSize::kSmall, QFont::DemiBold));
  painter.setPen(theme_->surface);
  painter.drawText(badge, Qt::AlignCenter, pin == 0 ? tr("A") : tr("B"));
}

// Above the pins' badges.
void PlotOverlay::paint_note(QPainter& painter) const {
  const QFontMetrics metrics(row_font());
  const QString text = metrics.elidedText(note_, Qt::ElideRight, area_.width() - 22);
  QRect rect(0, 0, metrics.horizontalAdvance(text) + 14, metrics.height() + 4);
  rect.moveBottomRight(area_.bottomRight() - QPoint(4, kBadge + 6));
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme_->warning_soft);
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
  paint_row(painter);
  if (!note_.isEmpty()) paint_note(painter);
  if (!bare_ && cursor_x_ && *cursor_x_ >= area_.left() && *cursor_x_ <= area_.right() + 1) {
    painter.setPen(QPen(theme_->cursor, 1));
    painter.drawLine(QPointF(*cursor_x_, area_.top()), QPointF(*cursor_x_, area_.bottom()));
  }
  for (const int pin : {0, 1}) paint_pin(painter, pin);
  if (focused_ && !bare_) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(theme_->accent, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(area_.adjusted(-2, -2, 1, 1));
  }
}

}  // namespace farstate::desktop
