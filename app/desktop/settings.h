// SPDX-License-Identifier: GPL-3.0-or-later
// What the program remembers from one start to the next, in one file of the person's settings.
#pragma once

#include <QSettings>
#include <cstdint>
#include <memory>

namespace farstate::desktop {

std::unique_ptr<QSettings> open_settings();

// The training context that a person has stated for a model which does not record it; 0: none.
int64_t stated_context(const QString& source);
void remember_stated_context(const QString& source, int64_t context);

}  // namespace farstate::desktop
