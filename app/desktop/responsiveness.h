// SPDX-License-Identifier: GPL-3.0-or-later
// How the window keeps up with a person while the worker keeps the processors busy: measured on the
// real window and worker without a person, and printed with what is wanted (docs/PERFORMANCE.md).
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QTimer>
#include <deque>
#include <functional>
#include <map>
#include <vector>

class QWidget;

namespace farstate::desktop {

class MainWindow;

class Responsiveness : public QObject {
  Q_OBJECT
 public:
  using Say = std::function<void(const QString& line)>;

  // Begins now, when the window has just been seen and the model loads; trains for so many seconds in
  // the end.
  Responsiveness(MainWindow& window, int soak_seconds, Say say);

 Q_SIGNALS:
  void failed(const QString& sentence);  // a figure is not as wanted, or something went wrong
  void ended();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  // Begun once the window is idle; over once `done` says so, asked at every beat.
  struct Phase {
    QString name;
    std::function<void()> begin;
    std::function<bool()> done;
  };
  struct Sample {
    double seconds, megabytes, replot_ms;
  };

  void add_clicks();
  void add_stop(const QString& name, std::function<void()> begin);
  void add_soak(int seconds);
  void beat();
  void click();
  bool soaked(int seconds);
  bool idle() const;
  bool measured_live();  // the first curves are no longer the recorded ones
  double now_ms() const;
  double replot_ms() const;
  void report();
  void line(const QString& what, double found, const QString& unit, double wanted);

  MainWindow& window_;
  Say say_;
  double paint_ms_ = 0, curve_ms_ = 0;  // since the program was started
  QTimer beats_;
  QElapsedTimer clock_;
  double last_beat_ = 0, last_busy_ = 0, phase_began_ = 0;
  std::deque<Phase> phases_;
  bool begun_ = false;
  std::map<QString, double> longest_gap_ms_;  // by phase
  std::map<QString, std::vector<double>> stop_ms_;
  std::vector<double> click_ms_;
  QPointer<QWidget> clicked_;
  double clicked_at_ = -1;  // negative: none is waited for
  std::vector<Sample> samples_;
  bool all_met_ = true;
};

}  // namespace farstate::desktop
