// SPDX-License-Identifier: GPL-3.0-or-later
// What the core says in English, in the language of the window: phases of work, events, notes and
// verdicts. A sentence that isn't known here stays as it is.
#pragma once

#include <QString>
#include <string>

#include "core/base/error.h"

namespace farstate::desktop {

QString core_words(const std::string& sentence);

// A message names files and numbers in forms without end, so it stays as it is; in another language
// a heading above it says what kind of error it is.
QString error_words(ErrorKind kind, const std::string& message);

}  // namespace farstate::desktop
