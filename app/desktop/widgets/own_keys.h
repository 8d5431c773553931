// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

class QWidget;

namespace farstate::desktop {

// While the widget has the keyboard these keys are its own, whatever the window does with them.
void own_keys(QWidget* widget, const QList<int>& keys);

}  // namespace farstate::desktop
