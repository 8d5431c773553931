// SPDX-License-Identifier: GPL-3.0-or-later
// The program with the window, which draws without one too: this program knows no Qt.
#pragma once

#include <string>
#include <vector>

namespace farstate {

// farstate-desktop beside this program, else in PATH; empty: nowhere.
std::string find_desktop_program();

// Runs it with this program's streams and returns its exit code. A stop ends it. Throws Error.
int run_desktop_program(const std::string& program, const std::vector<std::string>& arguments);

}  // namespace farstate
