// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QSet>

namespace farstate::desktop {

class LivePlot;

// How often the plots may be redrawn, from what a redraw costs: a slow machine or a huge window
// gets fewer pictures rather than a frozen one.
class DisplayRate {
 public:
  void add_cost(double milliseconds);
  int hz() const { return hz_; }

 private:
  int hz_ = 30;
};

// Decides when plots redraw: those that have new data, that can be seen, when their turn has come.
class PaintCoordinator : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  void add(LivePlot* plot);
  void tick();  // called by the pump

 Q_SIGNALS:
  void rate_changed(int hz);

 private:
  QSet<LivePlot*> dirty_;
  QElapsedTimer since_last_;
  DisplayRate rate_;
};

}  // namespace farstate::desktop
