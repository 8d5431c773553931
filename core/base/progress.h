// SPDX-License-Identifier: GPL-3.0-or-later
// How long work reports where it is. The stop token is the thread's own (core/base/stop.h).
#pragma once

#include <functional>
#include <string>

namespace farstate {

// Called on the working thread, often: the phase in words and the share of it that is done, 0 to
// 1, negative if unknown.
using ProgressSink = std::function<void(const std::string& phase, double share)>;

}  // namespace farstate
