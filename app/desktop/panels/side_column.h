// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QStackedWidget;
class QTabBar;

namespace farstate::desktop {

// The right column: the open story, or the inspector.
class SideColumn : public QFrame {
  Q_OBJECT
 public:
  SideColumn(QWidget* story, QWidget* inspector, QWidget* parent = nullptr);

  void show_story(bool story);
  bool shows_story() const;
  QTabBar* tabs() const { return tabs_; }

 Q_SIGNALS:
  void turned();  // from one to the other

 private:
  QTabBar* tabs_;
  QStackedWidget* pages_;
};

}  // namespace farstate::desktop
