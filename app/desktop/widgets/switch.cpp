// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/switch.h"

#include <QPainter>

#include "app/desktop/theme.h"

namespace farstate::desktop {

Switch::Switch(QWidget* parent) : QCheckBox(parent), theme_(&theme_for(ThemeMode::kLight)) {
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setFocusPolicy(Qt::TabFocus);
}

void Switch::set_theme(const Theme& theme) {
  theme_ = &theme;
  update();
}

void Switch::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF track = QRectF(rect()).adjusted(1, 1, -1, -1);
  const qreal round = track.height() / 2;
  QColor on = theme_->accent;
  if (!isEnabled()) on = theme_->faint;
  painter.setPen(QPen(hasFocus() ? theme_->text : isChecked() ? on : theme_->axis, 1));
  painter.setBrush(isChecked() ? on : theme_->hover);
  painter.drawRoundedRect(track, round, round);
  painter.setPen(Qt::NoPen);
  painter.setBrush(isChecked() ? theme_->on_accent : theme_->muted);
  const qreal knob = round - 3;
  const qreal x = isChecked() ? track.right() - round : track.left() + round;
  painter.drawEllipse(QPointF(x, track.center().y()), knob, knob);
}

}  // namespace farstate::desktop
