// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/models/pinned_states.h"
#include "app/desktop/plots/live_plot.h"

class QCPItemText;

namespace farstate::desktop {

// How the elements of a head's state are distributed in training and at the pins, as densities over
// the same bins, the Gaussian with the mean and standard deviation of one of them, and the one that
// the law of the initial state was fitted to, if there is one.
class HistogramPlot : public LivePlot {
  Q_OBJECT
 public:
  explicit HistogramPlot(QWidget* parent = nullptr);

  void set_states(const PinnedStates& states);
  void set_fitted(Sample sample);  // whose Gaussian is drawn
  void set_log(bool log);

  QVector<CurveLegend::Entry> legend() const override;
  DataTable numbers() const override;

 protected:
  void rebuild() override;
  std::optional<Tip> tip_at(const QPoint& pixel) override;
  std::optional<double> snapped_x(const QPoint& pixel) const override;

 private:
  bool has_bins(Sample sample) const;
  std::optional<size_t> bin_at(double x) const;
  std::optional<Extent> fill(Sample sample);
  std::optional<Extent> draw_gaussian(double mean, double std, const LineStyle& line);
  void mark_outside(Sample sample);

  PinnedStates states_;
  Sample fitted_ = kAtB;
  bool log_ = false;
  std::array<QCPItemText*, kSampleCount> below_, above_;  // how many elements the bins leave out
};

}  // namespace farstate::desktop
