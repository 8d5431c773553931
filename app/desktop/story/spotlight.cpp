// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/story/spotlight.h"

#include <QApplication>
#include <QEvent>
#include <QPainter>
#include <QScrollArea>

#include "app/desktop/theme.h"

namespace farstate::desktop {
namespace {

constexpr int kAround = 4;     // between the control and its ring
constexpr int kDimming = 150;  // of 255: what is dimmed can still be read

}  // namespace

Spotlight::Spotlight(QWidget* over, const QList<QWidget*>& spared)
    : QWidget(over),
      theme_(&theme_for(ThemeMode::kLight)),
      spared_(spared.begin(), spared.end()) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFocusPolicy(Qt::NoFocus);
  hide();
}

void Spotlight::set_theme(const Theme& theme) {
  theme_ = &theme;
  update();
}

void Spotlight::point_at(QWidget* control) {
  const bool was_on = on();
  control_ = control;
  qApp->removeEventFilter(this);
  if (control == nullptr) {
    hide();
    if (was_on) Q_EMIT ended();
    return;
  }
  for (QWidget* up = control->parentWidget(); up != nullptr; up = up->parentWidget()) {
    if (auto* scroll = qobject_cast<QScrollArea*>(up)) scroll->ensureWidgetVisible(control);
  }
  setGeometry(parentWidget()->rect());
  show();
  raise();
  update();
  qApp->installEventFilter(this);
}

// In the window a press ends it, and what it points at may move.
bool Spotlight::eventFilter(QObject* watched, QEvent* event) {
  const auto* widget = qobject_cast<QWidget*>(watched);
  if (widget == nullptr || widget == this) return false;
  switch (event->type()) {
    case QEvent::MouseButtonPress:
      if (widget->window() == window()) end();
      break;
    case QEvent::Resize:
    case QEvent::Move:
    case QEvent::Hide:
    case QEvent::Show:
      if (widget == parentWidget()) setGeometry(parentWidget()->rect());
      if (widget == control_ || widget->isAncestorOf(control_)) update();
      break;
    default:
      break;
  }
  return false;
}

QRect Spotlight::place_of(const QWidget* widget) const {
  if (widget == nullptr || !widget->isVisible() || widget->window() != window()) return {};
  QRect place(widget->mapTo(window(), QPoint()), widget->size());
  // Only as much as the scroll areas around it show.
  for (const QWidget* up = widget->parentWidget(); up != nullptr && up != window();
       up = up->parentWidget()) {
    place &= QRect(up->mapTo(window(), QPoint()), up->size());
  }
  return place.translated(-mapTo(window(), QPoint()));
}

QRect Spotlight::ring() const {
  const QRect place = place_of(control_);
  if (place.isEmpty()) return {};
  return place.adjusted(-kAround, -kAround, kAround, kAround) & rect().adjusted(2, 2, -2, -2);
}

QPainterPath Spotlight::lit() const {
  QPainterPath lit;
  lit.addRoundedRect(ring(), Theme::kRadius + 2, Theme::kRadius + 2);
  for (const QWidget* spared : spared_) {
    const QRect place = place_of(spared);
    if (place.isEmpty() || spared->isAncestorOf(control_)) continue;
    lit.addRoundedRect(place, Theme::kRadius, Theme::kRadius);
  }
  return lit;
}

void Spotlight::paintEvent(QPaintEvent*) {
  const QRect around = ring();
  if (around.isEmpty()) return;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  QPainterPath dimmed;
  dimmed.addRect(rect());
  QColor veil = theme_->window;
  veil.setAlpha(kDimming);
  painter.fillPath(dimmed.subtracted(lit()), veil);
  painter.setPen(QPen(theme_->accent, 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(around, Theme::kRadius + 2, Theme::kRadius + 2);
}

}  // namespace farstate::desktop
