// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/elided_button.h"

#include <QStyleOptionToolButton>
#include <QStylePainter>
#include <algorithm>

namespace farstate::desktop {

QSize ElidedButton::sizeHint() const {
  QSize size = QToolButton::sizeHint();
  size.setWidth(std::min(size.width(), longest_));
  return size;
}

QSize ElidedButton::minimumSizeHint() const {
  QSize size = QToolButton::sizeHint();
  size.setWidth(std::min(size.width(), shortest_));
  return size;
}

void ElidedButton::paintEvent(QPaintEvent*) {
  QStyleOptionToolButton option;
  initStyleOption(&option);
  const int missing = QToolButton::sizeHint().width() - width();
  if (missing > 0) {
    option.text = fontMetrics().elidedText(text(), Qt::ElideMiddle,
                                           fontMetrics().horizontalAdvance(text()) - missing);
  }
  QStylePainter painter(this);
  painter.drawComplexControl(QStyle::CC_ToolButton, option);
  if (menu() == nullptr) return;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(palette().color(QPalette::PlaceholderText), 1.4));
  const QPointF tip(width() - 15.5, height() / 2.0 + 2);
  painter.drawPolyline(QPolygonF{tip + QPointF(-4, -4), tip, tip + QPointF(4, -4)});
}

}  // namespace farstate::desktop
