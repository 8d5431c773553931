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
  painter.translate(area.center().x(), y);
  const QPainterPath marker = marker_path(line.marker, kMarker);
  // A hollow marker parts the line. No clip does it: PDFs would keep that for what follows.
  const qreal gap = line.hollow ? marker.boundingRect().width() / 2 : 0;
  painter.drawLine(QPointF(-half, 0), QPointF(-gap, 0));
  painter.drawLine(QPointF(gap, 0), QPointF(half, 0));
  if (!marker.isEmpty() && line.hollow) painter.strokePath(marker, QPen(line.color, 1.3));
  if (!marker.isEmpty() && !line.hollow) painter.fillPath(marker, line.color);
  painter.restore();
}

}  // namespace farstate::desktop
