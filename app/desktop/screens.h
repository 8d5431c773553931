// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of every page and sheet of the window, in both themes and languages and two sizes, taken
// without a person: docs/TESTING.md says how they are looked at.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QSize>
#include <QTemporaryDir>
#include <QTimer>
#include <functional>
#include <vector>

#include "app/desktop/language.h"
#include "app/desktop/story/session_facts.h"
#include "app/desktop/theme.h"

namespace farstate::desktop {

class MainWindow;

class Screens : public QObject {
  Q_OBJECT
 public:
  // Begins now; the folder exists.
  Screens(MainWindow& window, const QString& folder);

 Q_SIGNALS:
  void failed(const QString& sentence);
  void ended();

 private:
  struct Scene {
    QString name;
    std::function<void()> show;
    std::function<bool()> ready;  // asked often, after show()
    std::function<void()> leave = [] {};
  };
  struct Look {
    ThemeMode theme;
    Language language;
    QSize size;
    QString name() const;
  };
  static const std::vector<Look>& looks();

  void make_scenes();
  void add_curves();
  void add_sheets();
  void add_reading();
  void add_comparing();
  void add_teaching();
  bool idle() const;  // nothing runs or is asked for
  bool holds(const QString& fact) const;

  void begin_scene();
  void wait();
  void put_on(const Look& look);
  void begin_look();
  void take();
  void end_scene();

  MainWindow& window_;
  QString folder_;
  SessionFacts facts_;
  QTemporaryDir runs_;
  std::vector<Scene> scenes_;
  size_t scene_ = 0, look_ = 0;
  QTimer watch_;
  bool shown_ = false;
  QElapsedTimer since_begin_;
};

}  // namespace farstate::desktop
