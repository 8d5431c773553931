// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/plots/perplexity_plot.h"

namespace farstate::desktop {

// Effective Remembrance: how much the output at the end still changes when the first t tokens are
// dropped. By definition it is 0 at t = 0, which a log axis can only mark.
class EffremPlot : public LivePlot {
  Q_OBJECT
 public:
  explicit EffremPlot(QWidget* parent = nullptr);

  void set_curves(const QVector<BookCurve>& curves);
  void set_log(bool log);

 protected:
  void rebuild() override;
  void recolor() override;
  std::optional<Tip> tip_at(const QPoint& pixel) override;
  std::optional<double> snapped_x(const QPoint& pixel) const override;

 private:
  QVector<BookCurve> curves_;
  QCPItemText* zero_note_;
  bool log_ = true;
};

}  // namespace farstate::desktop
