// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/elided_label.h"

#include <QHelpEvent>
#include <QPainter>
#include <QStyle>
#include <QToolTip>

namespace farstate::desktop {

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent) {
  setTextFormat(Qt::PlainText);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ElidedLabel::set_short_text(const QString& text) {
  short_text_ = text;
  update();
}

QSize ElidedLabel::sizeHint() const {
  return {fontMetrics().horizontalAdvance(text()) + 1, fontMetrics().height()};
}

int ElidedLabel::least_width() const {
  return fontMetrics().horizontalAdvance(short_text_.isEmpty() ? text() : short_text_) + 1;
}

QSize ElidedLabel::minimumSizeHint() const {
  return {std::min(40, sizeHint().width()), fontMetrics().height()};
}

QString ElidedLabel::shown() const {
  const QString shown = fontMetrics().elidedText(text(), Qt::ElideMiddle, width());
  if (shown == text() || short_text_.isEmpty()) return shown;
  return fontMetrics().elidedText(short_text_, Qt::ElideMiddle, width());
}

bool ElidedLabel::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip && toolTip().isEmpty() && shown() != text()) {
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), text(), this);
    return true;
  }
  return QLabel::event(event);
}

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  style()->drawItemText(&painter, rect(), static_cast<int>(alignment()), palette(), isEnabled(),
                        shown(), foregroundRole());
}

}  // namespace farstate::desktop
