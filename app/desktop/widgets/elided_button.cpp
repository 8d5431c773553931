// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/elided_button.h"

#include <QStyleOptionToolButton>
#include <QStylePainter>
#include <algorithm>

#include "app/desktop/widgets/choice_box.h"

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
  paint_wedge(painter, {width() - 15.5, height() / 2.0 + 2},
              palette().color(QPalette::PlaceholderText));
}

}  // namespace farstate::desktop
