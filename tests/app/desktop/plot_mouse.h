// SPDX-License-Identifier: GPL-3.0-or-later
// A mouse over a plot, in the pixels of its canvas.
#pragma once

#include <QApplication>
#include <QMouseEvent>
#include <QWidget>

#include "app/desktop/plots/live_plot.h"

namespace farstate::desktop {

inline QWidget* canvas_of(LivePlot* plot) {
  for (QWidget* child : plot->findChildren<QWidget*>()) {
    if (child->inherits("QCustomPlot")) return child;
  }
  return nullptr;
}

inline void send_mouse(LivePlot* plot, QEvent::Type type, QPointF at, Qt::MouseButton button,
                       Qt::MouseButtons buttons, Qt::KeyboardModifiers modifiers = {}) {
  QWidget* canvas = canvas_of(plot);
  QMouseEvent event(type, at, canvas->mapToGlobal(at), button, buttons, modifiers);
  QApplication::sendEvent(canvas, &event);
}

inline void click(LivePlot* plot, QPointF at, Qt::KeyboardModifiers modifiers = {}) {
  send_mouse(plot, QEvent::MouseButtonPress, at, Qt::LeftButton, Qt::LeftButton, modifiers);
  send_mouse(plot, QEvent::MouseButtonRelease, at, Qt::LeftButton, {}, modifiers);
}

// Press, three moves, release.
inline void drag(LivePlot* plot, QPointF from, QPointF to) {
  send_mouse(plot, QEvent::MouseButtonPress, from, Qt::LeftButton, Qt::LeftButton);
  for (const double share : {0.3, 0.7, 1.0}) {
    send_mouse(plot, QEvent::MouseMove, from + share * (to - from), Qt::NoButton, Qt::LeftButton);
  }
  send_mouse(plot, QEvent::MouseButtonRelease, to, Qt::LeftButton, {});
}

inline void hover_at(LivePlot* plot, QPointF at) {
  send_mouse(plot, QEvent::MouseMove, at, Qt::NoButton, {});
}

}  // namespace farstate::desktop
