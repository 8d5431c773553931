// SPDX-License-Identifier: GPL-3.0-or-later
// A plot over the position in the text: log axis, the line at the training context T, what lies
// beyond it shaded and named, and a cursor that the plots of this kind share.
#pragma once

#include "app/desktop/plots/live_plot.h"

class QCPItemRect;
class QCPItemStraightLine;
class QCPItemText;

namespace farstate::desktop {

class PositionPlot : public LivePlot {
  Q_OBJECT
 public:
  explicit PositionPlot(QWidget* parent = nullptr);

  void set_trained_context(int64_t context);  // 0: not known
  // Shows the cursor and the range of another plot over position.
  void follow_cursor(std::optional<double> position);
  void follow_range(double low, double high) { hold_x({low, high}); }

 Q_SIGNALS:
  void pointed_at(std::optional<double> position);

 protected:
  void recolor() override;
  void pointed(std::optional<double> x) override;
  int64_t trained_context() const { return context_; }
  void set_limit_color(const QColor& color);  // of the line at T, over coloured ground

 private:
  void place_limit();

  QCPItemRect* beyond_;
  QCPItemStraightLine* limit_;
  QCPItemText* never_;
  QCPItemText* context_label_;
  int64_t context_ = 0;
};

}  // namespace farstate::desktop
