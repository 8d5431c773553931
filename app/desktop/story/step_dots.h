// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "app/desktop/theme.h"

namespace farstate::desktop {

// A dot for each card: filled where its task is done, ringed where one is. A click, or the arrow
// keys, go to a card.
class StepDots : public QWidget {
  Q_OBJECT
 public:
  explicit StepDots(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  void set_steps(const std::vector<bool>& done, const QStringList& titles, size_t at);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 Q_SIGNALS:
  void chosen(size_t step);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  int step_at(const QPoint& at) const;  // -1: none

  const Theme* theme_;
  std::vector<bool> done_;
  QStringList titles_;
  size_t at_ = 0;
};

}  // namespace farstate::desktop
