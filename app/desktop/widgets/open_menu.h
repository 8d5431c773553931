// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>

#include "app/desktop/wording.h"

namespace farstate::desktop {

class RecentFiles;

// Ways to open something, then what was opened lately. A path that is gone is marked, and choosing
// it takes it off the list.
class OpenMenu : public QMenu {
  Q_OBJECT
 public:
  OpenMenu(const Words& title, const QList<QAction*>& ways, RecentFiles* recent,
           QWidget* parent = nullptr);

  void fill();  // as the list and the disk are now

 Q_SIGNALS:
  void chosen(const QString& path);

 private:
  void add_path(const QString& path);

  QList<QAction*> ways_;
  RecentFiles* recent_;
};

}  // namespace farstate::desktop
