// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace farstate::desktop {

struct Theme;

// Covers the window while something is dragged over it, and says what letting go will do.
class DropHint : public QWidget {
  Q_OBJECT
 public:
  explicit DropHint(QWidget* window);

  void set_theme(const Theme& theme);
  void show_hint(const QString& title, const QString& detail);
  QString title() const { return title_; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  const Theme* theme_;
  QString title_, detail_;
};

}  // namespace farstate::desktop
