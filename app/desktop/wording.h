// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that follow the language while the program runs.
#pragma once

#include <functional>

class QObject;

namespace farstate::desktop {

// Calls `say` now and again whenever the language of the application changes, for as long as
// `owner` lives: worded(label, [label] { label->setText(tr("Seed")); });
void worded(QObject* owner, std::function<void()> say);

}  // namespace farstate::desktop
