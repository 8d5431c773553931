// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <memory>

#include "app/desktop/models/focus.h"
#include "app/desktop/models/measurement_book.h"

namespace farstate::desktop {

struct Theme;

// Every head as a row of numbers, to sort, filter and choose from.
class HeadsPanel : public QFrame {
  Q_OBJECT
 public:
  explicit HeadsPanel(Focus* focus, QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  // Ratios are taken at T, and where that is 0, not known, at `reference`.
  void show_book(const MeasurementBook& book, int64_t trained_context, int64_t reference);
  void show_report(std::shared_ptr<const StateReport> report);

 private:
  Focus* focus_;
};

}  // namespace farstate::desktop
