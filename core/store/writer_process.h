// SPDX-License-Identifier: GPL-3.0-or-later
// Which process writes a run, so that others can tell whether it is still there.
#pragma once

#include <string>

namespace farstate {

// The machine's boot, the process's number with the space that numbers it, and when it was started:
// numbers are used again, all of it together is not. Empty where the system does not say.
std::string this_process();

// Whether it runs on this machine. What was written on another machine, in another container or
// before the last boot does not.
bool still_runs(const std::string& process);

}  // namespace farstate
