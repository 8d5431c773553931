// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/attention_panel.h"

#include "app/desktop/plots/live_plot.h"
#include "app/desktop/theme.h"

namespace farstate::desktop {

AttentionPanel::AttentionPanel(Focus* focus, QWidget* parent) : QFrame(parent), focus_(focus) {}

void AttentionPanel::set_theme(const Theme&) {}

void AttentionPanel::show_report(std::shared_ptr<const StateReport>) {}

QList<LivePlot*> AttentionPanel::plots() const { return {}; }

}  // namespace farstate::desktop
