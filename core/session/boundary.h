// SPDX-License-Identifier: GPL-3.0-or-later
// Where exceptions end: a front end's main and the runner's worker call this in their one catch.
#pragma once

#include "core/base/error.h"

namespace farstate {

// The exception that is being handled, as an Error: ours unchanged, exhausted memory as
// kOutOfMemory, anything else as kInternal with its first line.
Error current_error();

}  // namespace farstate
