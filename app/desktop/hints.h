// SPDX-License-Identifier: GPL-3.0-or-later
// The two hints of the first minute: where training ended, as the sweep comes by, and then where to
// change how the model starts. They go when a person acts, and for good when that is asked for.
#pragma once

#include <QObject>
#include <QTimer>
#include <chrono>

namespace farstate::desktop {

class Callout;
class InitialStatePanel;
class PositionPlot;
struct Theme;

class Hints : public QObject {
  Q_OBJECT
 public:
  // The hints lie in `window`, above all else in it.
  Hints(PositionPlot* plot, InitialStatePanel* start, QWidget* window);

  void set_theme(const Theme& theme);
  bool wanted() const { return wanted_; }
  void set_wanted(bool wanted);  // remembered

  void sweep_passed(int64_t context);  // the live sweep of a model as loaded has crossed T
  void sweep_ended();
  void person_acted();
  // Between the first hint and the second: long enough to read the first.
  void set_pause(std::chrono::milliseconds pause) { second_.setInterval(pause); }

  const Callout* limit() const { return limit_; }
  const Callout* start() const { return begin_; }

 Q_SIGNALS:
  void wanted_changed(bool wanted);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void place();
  void say();
  void show_second();

  PositionPlot* plot_;
  InitialStatePanel* panel_;
  QWidget* window_;
  Callout *limit_, *begin_;
  QTimer second_;
  int64_t context_ = 0;
  bool wanted_, first_shown_ = false, ended_ = false, done_ = false;
  bool limit_open_ = false;  // also while the line at T is out of sight
};

}  // namespace farstate::desktop
