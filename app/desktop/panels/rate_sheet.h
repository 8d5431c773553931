// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/widgets/sheet.h"
#include "core/session/runner.h"

class QLabel;

namespace farstate::desktop {

class RatePlot;

// A search for a learning rate as it goes on, and its suggestion to take over.
class RateSheet : public Sheet {
  Q_OBJECT
 public:
  explicit RateSheet(QWidget* over);

  void set_theme(const Theme& theme) override;
  void begin(const RunConfig& recipe);  // opens; the search itself is the runner's
  void show_update(const RunnerUpdate& update);

  bool searching() const { return searching_; }
  std::optional<double> suggestion() const { return suggestion_; }
  RatePlot* plot() const { return plot_; }

 private:
  void end(const LrFinding& finding);
  void name_action();
  void say();

  RatePlot* plot_;
  QLabel* sentence_;
  RunConfig recipe_;
  bool searching_ = false;
  bool begun_ = false;  // the runner has shown that it searches
  std::shared_ptr<const LrFinding> shown_;  // also of the search before: it is no sign of a new one
  std::optional<double> suggestion_;
};

}  // namespace farstate::desktop
