// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/generate_panel.h"

#include "app/desktop/plots/live_plot.h"
#include "app/desktop/theme.h"

namespace farstate::desktop {

GeneratePanel::GeneratePanel(Runner* runner, QWidget* parent) : QFrame(parent), runner_(runner) {}

void GeneratePanel::set_theme(const Theme&) {}

void GeneratePanel::show_update(const RunnerUpdate&) {}

QList<LivePlot*> GeneratePanel::plots() const { return {}; }

}  // namespace farstate::desktop
