// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>

namespace farstate::desktop {

// A button whose text, a file's name or a recipe, may be shortened in the middle to fit.
class ElidedButton : public QToolButton {
  Q_OBJECT
 public:
  using QToolButton::QToolButton;

  void set_longest(int width) { longest_ = width; }
  void set_shortest(int width) { shortest_ = width; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  int longest_ = 320;
  int shortest_ = 76;
};

}  // namespace farstate::desktop
