// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/check_box.h"

#include <QPainter>

#include "app/desktop/theme.h"

namespace farstate::desktop {

void paint_check_box(QPainter& painter, const QRectF& box, bool checked, bool lit,
                     const Theme& theme) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.translate(box.topLeft());
  painter.scale(box.width() / kCheckBox, box.height() / kCheckBox);
  const QColor fill = lit ? theme.accent : theme.faint;
  painter.setPen(QPen(checked ? fill : lit ? theme.muted : theme.faint, 1.1));
  painter.setBrush(checked ? fill : theme.surface);
  painter.drawRoundedRect(QRectF(0.6, 0.6, kCheckBox - 1.2, kCheckBox - 1.2), 3, 3);
  if (checked) {
    painter.setPen(QPen(theme.on_accent, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const QPointF corners[] = {{3.6, 7.2}, {6, 9.7}, {10.5, 4.3}};
    painter.drawPolyline(corners, 3);
  }
  painter.restore();
}

}  // namespace farstate::desktop
