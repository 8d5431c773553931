// SPDX-License-Identifier: GPL-3.0-or-later
// A first start as a person may go through it, by the clock, with a picture of the window at 1, 5,
// 10, 20 and 60 seconds: docs/FIRST_MINUTE.md says what they show.
#pragma once

#include <QObject>
#include <QString>

namespace farstate::desktop {

class MainWindow;

class FirstMinute : public QObject {
  Q_OBJECT
 public:
  // Begins now; the folder exists.
  FirstMinute(MainWindow* window, const QString& folder);

 Q_SIGNALS:
  void failed(const QString& sentence);
  void ended();

 private:
  void take(int second);

  MainWindow* window_;
  QString folder_;
};

}  // namespace farstate::desktop
