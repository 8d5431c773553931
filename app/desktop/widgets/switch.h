// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>

namespace farstate::desktop {

struct Theme;

// A check box drawn as a switch.
class Switch : public QCheckBox {
  Q_OBJECT
 public:
  explicit Switch(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  QSize sizeHint() const override { return {32, 18}; }
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool hitButton(const QPoint& pos) const override { return rect().contains(pos); }

 private:
  const Theme* theme_;
};

}  // namespace farstate::desktop
