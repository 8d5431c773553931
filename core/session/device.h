// SPDX-License-Identifier: GPL-3.0-or-later
// Where models compute: by name, with a sentence where it can't be; what it is and what ran there.
#pragma once

#include <c10/core/Device.h>

#include <cstdint>
#include <string>

#include "core/results/device_report.h"

namespace farstate {

// "cpu", "cuda" (the first) or "cuda:N". Throws Error: kBadUsage for another name, kBadInput where
// the build or the machine has no such device.
c10::Device find_device(const std::string& name);

// Waits until everything in the device's queues is done.
void synchronize(const c10::Device& device);

// The most bytes that tensors on a device took at once since its peak was reset; 0 on the CPU.
void reset_device_peak(const c10::Device& device);
int64_t device_peak_bytes(const c10::Device& device);

// Peaks and the record of what ran begin anew.
void reset_device_report(const c10::Device& device);
DeviceReport device_report(const c10::Device& device);

}  // namespace farstate
