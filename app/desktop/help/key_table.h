// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QMenuBar;

namespace farstate::desktop {

// Every key of the menus, and what mouse and keys do in the plots, as Markdown.
QString key_table(const QMenuBar& menus);

}  // namespace farstate::desktop
