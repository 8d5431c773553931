// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QPainter>

namespace farstate::desktop {

// The wedge of everything that opens a list, its tip at this point.
void paint_wedge(QPainter& painter, QPointF tip, const QColor& color);

// A choice from a list that looks as the fields beside it do.
class ChoiceBox : public QComboBox {
  Q_OBJECT
 public:
  using QComboBox::QComboBox;

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace farstate::desktop
