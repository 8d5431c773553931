// SPDX-License-Identifier: GPL-3.0-or-later
// What lies above a plot: the cursor line, the pins and words about the view. A layer of its own,
// so that moving the mouse repaints these and never the curves.
#pragma once

#include <QString>
#include <QWidget>
#include <array>
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
  // One line at the bottom of the axes, cut where it has no room; empty: none.
  void set_note(const QString& note);
  const QString& note() const { return note_; }
  // Without cursor and focus, which are nothing of a picture.
  void set_bare(bool bare);
  void set_pins(const std::array<std::optional<double>, 2>& pixels);  // A and B
  // A row of the plot that is in focus, and its name in the left margin (empty: none).
  void set_row(const QRect& row, const QString& name);
  void set_focused(bool focused);  // the keyboard moves what is in this plot

  // The badge of a pin that lies under the pixel: 0 for A, 1 for B.
  std::optional<int> badge_at(const QPoint& pixel) const;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void paint_note(QPainter& painter) const;
  void paint_row(QPainter& painter) const;
  void paint_pin(QPainter& painter, int pin) const;
  QRectF badge_of(int pin) const;  // empty: out of sight

  const Theme* theme_;
  QRect area_;
  QRect row_;
  QString row_name_;
  std::optional<double> cursor_x_;
  std::array<std::optional<double>, 2> pins_;
  QString placeholder_, note_;
  bool bare_ = false;
  bool focused_ = false;
};

}  // namespace farstate::desktop
