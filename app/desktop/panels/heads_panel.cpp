// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/heads_panel.h"

#include "app/desktop/theme.h"

namespace farstate::desktop {

HeadsPanel::HeadsPanel(Focus* focus, QWidget* parent) : QFrame(parent), focus_(focus) {}

void HeadsPanel::set_theme(const Theme&) {}

void HeadsPanel::show_book(const MeasurementBook&, int64_t, int64_t) {}

void HeadsPanel::show_report(std::shared_ptr<const StateReport>) {}

}  // namespace farstate::desktop
