// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/inspector_panel.h"

#include "app/desktop/plots/live_plot.h"
#include "app/desktop/theme.h"

namespace farstate::desktop {

InspectorPanel::InspectorPanel(Focus* focus, QWidget* parent) : QFrame(parent), focus_(focus) {
  setProperty("role", QStringLiteral("card"));
}

void InspectorPanel::set_theme(const Theme&) {}

void InspectorPanel::show_report(std::shared_ptr<const StateReport>) {}

void InspectorPanel::show_book(const MeasurementBook&, int64_t, int64_t) {}

QList<LivePlot*> InspectorPanel::plots() const { return {}; }

}  // namespace farstate::desktop
