// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/origin_chip.h"

#include <QPainter>

#include "app/desktop/theme.h"

namespace farstate::desktop {
namespace {

constexpr int kDot = 6, kSide = 6, kSpace = 5;

QFont chip_font() { return text_font(TextSize::kSmall, QFont::Medium); }

}  // namespace

OriginChip::OriginChip(QWidget* parent)
    : QWidget(parent), theme_(&theme_for(ThemeMode::kLight)) {
  setFocusPolicy(Qt::NoFocus);
  hide();
}

void OriginChip::set_theme(const Theme& theme) {
  theme_ = &theme;
  resize(sizeHint());  // the text size may have changed with it
  update();
}

void OriginChip::show_origin(bool live, const QString& text, const QString& tip) {
  live_ = live;
  text_ = text;
  setToolTip(tip);
  setAccessibleName(text);
  setAccessibleDescription(tip);
  setVisible(!text.isEmpty());
  resize(sizeHint());
  update();
}

QSize OriginChip::sizeHint() const {
  const QFontMetrics metrics(chip_font());
  return {2 * kSide + kDot + kSpace + metrics.horizontalAdvance(text_), metrics.height()};
}

// Filled where it is live; a ring where it was recorded, so that colour is not all that tells.
void OriginChip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QColor& color = live_ ? theme_->good : theme_->warning;
  painter.setPen(Qt::NoPen);
  painter.setBrush(live_ ? theme_->hover : theme_->warning_soft);
  painter.drawRoundedRect(rect(), height() / 2.0, height() / 2.0);
  const QRectF dot(kSide, (height() - kDot) / 2.0, kDot, kDot);
  painter.setPen(QPen(color, 1.4));
  painter.setBrush(live_ ? QBrush(color) : QBrush(Qt::NoBrush));
  painter.drawEllipse(dot);
  painter.setFont(chip_font());
  painter.setPen(theme_->text);
  painter.drawText(rect().adjusted(kSide + kDot + kSpace, 0, 0, 0), Qt::AlignVCenter, text_);
}

}  // namespace farstate::desktop
