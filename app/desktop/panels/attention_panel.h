// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <memory>

#include "app/desktop/models/focus.h"
#include "app/desktop/models/measurement_book.h"

namespace farstate::desktop {

class LivePlot;
struct Theme;

// Which tokens the head in focus attends to before the last pin, and which the prediction leans on.
class AttentionPanel : public QFrame {
  Q_OBJECT
 public:
  explicit AttentionPanel(Focus* focus, QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  void show_report(std::shared_ptr<const StateReport> report);
  QList<LivePlot*> plots() const;  // for the paint coordinator

 private:
  Focus* focus_;
};

}  // namespace farstate::desktop
