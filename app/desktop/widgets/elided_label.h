// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace farstate::desktop {

// A label for names and paths: too long a text gives way to a shorter one that was given for it, or is
// shortened in the middle, and then is the tip.
class ElidedLabel : public QLabel {
  Q_OBJECT
 public:
  explicit ElidedLabel(QWidget* parent = nullptr);

  void set_short_text(const QString& text);  // empty: there is none
  QString shown() const;                     // at this width
  int least_width() const;                   // at which nothing is cut

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  QString short_text_;
};

}  // namespace farstate::desktop
