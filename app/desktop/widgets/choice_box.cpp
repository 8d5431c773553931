// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/choice_box.h"

namespace farstate::desktop {

void paint_wedge(QPainter& painter, QPointF tip, const QColor& color) {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(color, 1.4));
  painter.drawPolyline(QPolygonF{tip + QPointF(-4, -4), tip, tip + QPointF(4, -4)});
}

void ChoiceBox::paintEvent(QPaintEvent* event) {
  QComboBox::paintEvent(event);
  QPainter painter(this);
  const QPalette::ColorGroup group = isEnabled() ? QPalette::Active : QPalette::Disabled;
  paint_wedge(painter, {width() - 14.5, height() / 2.0 + 2},
              palette().color(group, QPalette::PlaceholderText));
}

}  // namespace farstate::desktop
