// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <memory>

#include "app/desktop/models/focus.h"
#include "app/desktop/models/measurement_book.h"

namespace farstate::desktop {

class LivePlot;
struct Theme;

// The right column: the states of the head in focus, at the pins and in training.
class InspectorPanel : public QFrame {
  Q_OBJECT
 public:
  explicit InspectorPanel(Focus* focus, QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  void show_report(std::shared_ptr<const StateReport> report);
  // Ratios are taken at T, and where that is 0, not known, at `reference`.
  void show_book(const MeasurementBook& book, int64_t trained_context, int64_t reference);
  QList<LivePlot*> plots() const;  // for the paint coordinator

 private:
  Focus* focus_;
};

}  // namespace farstate::desktop
