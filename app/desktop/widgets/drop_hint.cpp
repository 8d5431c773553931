// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/drop_hint.h"

#include <QPainter>

#include "app/desktop/theme.h"

namespace farstate::desktop {

DropHint::DropHint(QWidget* window) : QWidget(window), theme_(&theme_for(ThemeMode::kLight)) {
  // What is dragged stays over the window itself: over this it would leave the window, hide the
  // hint, and enter again.
  setAttribute(Qt::WA_TransparentForMouseEvents);
  hide();
}

void DropHint::set_theme(const Theme& theme) {
  theme_ = &theme;
  update();
}

void DropHint::show_hint(const QString& title, const QString& detail) {
  title_ = title;
  detail_ = detail;
  setGeometry(parentWidget()->rect());
  show();
  raise();
  update();
}

void DropHint::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  QColor ground = theme_->window;
  ground.setAlpha(238);
  painter.fillRect(rect(), ground);
  QColor tint = theme_->accent_soft;
  tint.setAlpha(150);
  painter.setPen(QPen(theme_->accent, 2, Qt::DashLine));
  painter.setBrush(tint);
  painter.drawRoundedRect(QRectF(rect()).adjusted(16, 16, -16, -16), 12, 12);
  const QRect room = rect().adjusted(48, 0, -48, 0);
  painter.setFont(text_font(TextSize::kHeading, QFont::DemiBold));
  painter.setPen(theme_->text);
  const QRect above = room.adjusted(0, 0, 0, -room.height() / 2 - 2);
  painter.drawText(above, Qt::AlignHCenter | Qt::AlignBottom, title_);
  painter.setFont(text_font(TextSize::kBody));
  painter.setPen(theme_->muted);
  const QString detail =
      painter.fontMetrics().elidedText(detail_, Qt::ElideMiddle, room.width());
  painter.drawText(room.adjusted(0, room.height() / 2 + 6, 0, 0),
                   Qt::AlignHCenter | Qt::AlignTop, detail);
}

}  // namespace farstate::desktop
