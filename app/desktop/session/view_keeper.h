// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "app/desktop/session/session.h"

class QWidget;

namespace farstate::desktop {

class Segmented;
class SettingsHistory;

// What a person chooses in the window's rows of choices, such as the scale of an axis: to be taken
// back, and as it was at the next start. Controls are known by their names, as in a session.
class ViewKeeper : public QObject {
  Q_OBJECT
 public:
  ViewKeeper(QWidget& window, SettingsHistory& history);

  // Shows what was chosen at earlier starts, and remembers from now on.
  void remember();
  // Of a session, which is no choice to take back one by one.
  void show(const std::vector<SessionView>& views);

 private:
  void watch(Segmented* choice);

  QWidget& window_;
  SettingsHistory& history_;
  bool remembering_ = false, showing_ = false;
};

}  // namespace farstate::desktop
