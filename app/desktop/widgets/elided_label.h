// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace farstate::desktop {

// A label for names and paths: too long a text is shortened in the middle, and then is the tip.
class ElidedLabel : public QLabel {
  Q_OBJECT
 public:
  explicit ElidedLabel(QWidget* parent = nullptr);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  QString shown() const;
};

}  // namespace farstate::desktop
