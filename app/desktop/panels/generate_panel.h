// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "core/session/runner.h"

namespace farstate::desktop {

class LivePlot;
struct Theme;

// Inference, live: a text is read and gone on with, with the state that it leaves in view and at
// hand. Sends its commands to the runner itself.
class GeneratePanel : public QFrame {
  Q_OBJECT
 public:
  // The runner outlives what a person can do here: the window hides before it ends.
  explicit GeneratePanel(Runner* runner, QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  void show_update(const RunnerUpdate& update);
  QList<LivePlot*> plots() const;  // for the paint coordinator

 private:
  Runner* runner_;
};

}  // namespace farstate::desktop
