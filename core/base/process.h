// SPDX-License-Identifier: GPL-3.0-or-later
// What belongs to the process as a whole.
#pragma once

#include <cstdint>

namespace farstate {

// The first line of main. Makes OpenMP's threads sleep while they wait for one another, unless the
// environment says otherwise: by default they spin, and as soon as anything else wants a core, a
// window's own thread for instance, the one that works waits for the one that spins. Measured on
// two cores beside one busy process: 60 steps of the demo in 2.9 s instead of 8.6 s, in the window
// instead of 31 s. OpenMP reads its environment when it is loaded, before main, so the program
// starts itself once more; where it can't, it goes on as it is.
void let_waiting_threads_sleep(char** argv);

// Early in main. A mapped file that another program cuts off ends this one when it touches what is
// gone; here with a sentence and the exit code of bad input.
void explain_lost_pages();

// Resident memory of this process in bytes; 0 where the system does not say.
int64_t resident_memory();

// From here on peak_memory() is that of what comes; false where the system does not allow it.
bool reset_peak_memory();
// The most memory that was ever resident at once, in bytes; 0 where the system does not say.
int64_t peak_memory();

// Memory that this process can still get, in bytes: what the machine has available, or less where
// a control group sets a limit; 0 where the system does not say.
int64_t available_memory();

}  // namespace farstate
