// SPDX-License-Identifier: GPL-3.0-or-later
// The proof of a device: operators, decoding and training there against the CPU.
#pragma once

#include <c10/core/Device.h>

#include <functional>

#include "core/session/jobs.h"

namespace farstate {

// Calls on_check with each check as it ends. Leaves the process with fp32 products.
void check_device(const c10::Device& device,
                  const std::function<void(const SelftestCheck&)>& on_check);

}  // namespace farstate
