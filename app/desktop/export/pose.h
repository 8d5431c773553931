// SPDX-License-Identifier: GPL-3.0-or-later
// A part of the window put into the size of a picture, for as long as this lives: without what is
// there to be clicked, cursor and tip. Nothing of it is seen on the screen.
#pragma once

#include <QList>
#include <memory>

#include "app/desktop/rendering.h"
#include "app/desktop/widgets/curve_legend.h"

class QSplitter;

namespace farstate::desktop {

class Card;

class Pose {
 public:
  // A card shows the title in its own place; above any other part it is written, with the legend.
  Pose(QWidget& part, const QString& title, const QVector<CurveLegend::Entry>& legend,
       const QSize& size, const Theme& theme);
  ~Pose();
  Q_DISABLE_COPY(Pose)

  Drawing drawing() const;

 private:
  void hide_controls();
  int head_height() const;
  void paint_head(QCPPainter& painter) const;

  QWidget& part_;
  Card* card_;  // null: the part is none
  QString title_, title_before_;
  std::unique_ptr<CurveLegend> legend_;  // null: there is nothing to name
  QSize size_;
  const Theme& theme_;
  QRect before_;
  QList<QWidget*> hidden_;
  QList<std::pair<QSplitter*, QList<int>>> splitters_;  // of the window
};

}  // namespace farstate::desktop
