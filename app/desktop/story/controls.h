// SPDX-License-Identifier: GPL-3.0-or-later
// The widgets that a story's names of controls mean.
#pragma once

#include <QString>

class QWidget;

namespace farstate::desktop {

class MainWindow;

// Null: there is none of that name, or none now.
QWidget* control_named(const MainWindow& window, const QString& name);

}  // namespace farstate::desktop
