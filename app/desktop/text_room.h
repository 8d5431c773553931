// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes that text needs, which grow with it.
#pragma once

#include <functional>

class QWidget;

namespace farstate::desktop {

int text_room(int pixels);  // what is enough for the usual text size, at the present one
void set_text_width(QWidget* widget, int pixels);  // a fixed one; the last counts

// Calls it now and each time that the widget's font has changed.
void with_font_of(QWidget* widget, std::function<void()> fit);

}  // namespace farstate::desktop
