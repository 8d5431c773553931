// SPDX-License-Identifier: GPL-3.0-or-later
// How long the program takes until a person sees something, counted from the start of the process,
// so that loading the libraries counts.
#pragma once

#include <QWidget>
#include <functional>

namespace farstate::desktop {

double milliseconds_since_start();  // to 10 ms; negative where the system does not say

// Calls `act` once, when the window's first picture has been handed to the screen.
void after_first_paint(QWidget& window, std::function<void()> act);

}  // namespace farstate::desktop
