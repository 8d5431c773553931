// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "app/desktop/plots/live_plot.h"

namespace farstate::desktop {

// The share of variance in each component of the elements' correlation, beside that of elements
// that are independent.
class SpectrumPlot : public LivePlot {
  Q_OBJECT
 public:
  explicit SpectrumPlot(QWidget* parent = nullptr);

  void set_spectrum(const std::vector<double>& measured, const std::vector<double>& independent);
  QSize minimumSizeHint() const override { return {96, 90}; }

  QVector<CurveLegend::Entry> legend() const override;
  DataTable numbers() const override;

 protected:
  void rebuild() override;
  std::optional<Tip> tip_at(const QPoint& pixel) override;
  std::optional<double> snapped_x(const QPoint& pixel) const override;

 private:
  LineStyle measured_line() const { return {theme().accent, {}}; }
  LineStyle independent_line() const { return {theme().muted, {4, 3}}; }

  std::vector<double> component_, measured_, independent_;
};

}  // namespace farstate::desktop
