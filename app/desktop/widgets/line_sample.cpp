// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/line_sample.h"

#include <QPainter>
#include <algorithm>

namespace farstate::desktop {
namespace {

constexpr qreal kMarker = 7;

}  // namespace

void paint_line_sample(QPainter& painter, const QRectF& area, const LineStyle& line) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  LineStyle halved = line;  // dashes count in pen widths, and this pen is twice as thick
  for (qreal& length : halved.dash) length = std::max(length / 2, 0.8);
  painter.setPen(pen_of(halved, 2));
  const qreal y = std::round(area.center().y());
  const qreal half = std::min<qreal>(kLineSampleWidth, area.width()) / 2;
  painter.drawLine(QPointF(area.center().x() - half, y), QPointF(area.center().x() + half, y));
  if (line.marker != Marker::kNone) {
    painter.translate(area.center().x(), y);
    painter.fillPath(marker_path(line.marker, kMarker), line.color);
  }
  painter.restore();
}

}  // namespace farstate::desktop
