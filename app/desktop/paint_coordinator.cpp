// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/paint_coordinator.h"

#include "app/desktop/plots/live_plot.h"

namespace farstate::desktop {

// Slower at once, faster again only when the cost has clearly fallen, so that it doesn't flicker
// between two rates.
void DisplayRate::add_cost(double milliseconds) {
  if (milliseconds > 60) {
    hz_ = 5;
  } else if (milliseconds > 25) {
    hz_ = hz_ == 5 && milliseconds > 45 ? 5 : 15;
  } else if (hz_ == 5) {
    hz_ = 15;
  } else if (milliseconds < 18) {
    hz_ = 30;
  }
}

void PaintCoordinator::add(LivePlot* plot) {
  dirty_.insert(plot);
  connect(plot, &LivePlot::dirtied, this, [this, plot] { dirty_.insert(plot); });
  connect(plot, &QObject::destroyed, this, [this, plot] { dirty_.remove(plot); });
}

void PaintCoordinator::tick() {
  // A little less than the period: the pump's timer is never late by less than a whole beat.
  if (since_last_.isValid() && since_last_.elapsed() < 1000 / rate_.hz() - 8) return;
  double cost = 0;
  for (auto it = dirty_.begin(); it != dirty_.end();) {
    LivePlot* plot = *it;
    if (!plot->isVisible() || plot->window()->isMinimized()) {
      ++it;
      continue;
    }
    it = dirty_.erase(it);
    QElapsedTimer rebuilding;
    rebuilding.start();
    plot->refresh();
    cost += static_cast<double>(rebuilding.nsecsElapsed()) * 1e-6 + plot->replot_ms();
  }
  // Nothing to draw for a second: what made the last pictures dear may be over.
  if (cost == 0 && (!since_last_.isValid() || since_last_.elapsed() < 1000)) return;
  since_last_.start();
  const int before = rate_.hz();
  rate_.add_cost(cost);
  if (rate_.hz() != before) Q_EMIT rate_changed(rate_.hz());
}

}  // namespace farstate::desktop
