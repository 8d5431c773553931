// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/models/pinned_states.h"
#include "app/desktop/plots/live_plot.h"

namespace farstate::desktop {

// Quantiles of the elements over those of a Gaussian, which would be the dashed diagonal. Which
// Gaussian: the one fitted to training, where another slope is another spread and another height
// another mean; or each sample's own, where only another shape leaves the diagonal.
class QqPlot : public LivePlot {
  Q_OBJECT
 public:
  enum class Against { kTraining, kOwn };
  explicit QqPlot(QWidget* parent = nullptr);

  void set_states(const PinnedStates& states);
  void set_against(Against against);

  QVector<CurveLegend::Entry> legend() const override;
  DataTable numbers() const override;

 protected:
  void rebuild() override;
  std::optional<Tip> tip_at(const QPoint& pixel) override;
  std::optional<double> snapped_x(const QPoint& pixel) const override;

 private:
  // x and y of a sample's dots; empty: it has none.
  std::pair<std::vector<double>, std::vector<double>> dots(Sample sample) const;
  void draw_diagonal(const Extent& x);

  PinnedStates states_;
  Against against_ = Against::kTraining;
};

}  // namespace farstate::desktop
