// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/plots/live_plot.h"
#include "core/results/lr_finding.h"

namespace farstate::desktop {

// The loss while the learning rate rises: each step faint, their running mean, and the suggestion.
class RatePlot : public LivePlot {
  Q_OBJECT
 public:
  explicit RatePlot(QWidget* parent = nullptr);

  void show_finding(const LrFinding& finding);
  DataTable numbers() const override;

 protected:
  void rebuild() override;
  std::optional<Tip> tip_at(const QPoint& pixel) override;
  std::optional<double> snapped_x(const QPoint& pixel) const override;

 private:
  std::optional<size_t> sample_at(const QPoint& pixel) const;
  LineStyle mean_line() const { return {theme().accent, {}}; }
  LineStyle step_line() const { return {ghost(theme().accent), {}}; }

  LrFinding finding_;
};

}  // namespace farstate::desktop
