// SPDX-License-Identifier: GPL-3.0-or-later
// What lies above a plot: the cursor line and words about the view. A layer of its own, so that
// moving the mouse repaints these and never the curves.
#pragma once

#include <QString>
#include <QWidget>
#include <optional>

#include "app/desktop/theme.h"

namespace farstate::desktop {

class PlotOverlay : public QWidget {
  Q_OBJECT
 public:
  explicit PlotOverlay(QWidget* parent);

  void set_theme(const Theme& theme);
  void set_plot_area(const QRect& area);
  void set_cursor_x(std::optional<double> pixel);
  void set_placeholder(const QString& text);  // in the middle; empty: none
  void set_held(bool held);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void paint_held(QPainter& painter) const;

  const Theme* theme_;
  QRect area_;
  std::optional<double> cursor_x_;
  QString placeholder_;
  bool held_ = false;
};

}  // namespace farstate::desktop
