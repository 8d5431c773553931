// SPDX-License-Identifier: GPL-3.0-or-later
// What a training will take on this machine, in time and in memory, before it starts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace farstate {

// Bytes at the peak of training, by what holds them.
struct TrainingMemory {
  int64_t process = 0;      // program, libraries, text
  int64_t weights = 0;      // float32
  int64_t moments = 0;      // AdamW's two
  int64_t gradients = 0;    // those that exist at the peak
  int64_t activations = 0;  // kept for the backward pass, and what that makes in passing
  int64_t states = 0;       // that a step starts from and ends with
  int64_t total() const {
    return process + weights + moments + gradients + activations + states;
  }
};

struct TrainingEstimate {
  // Seconds of work that were timed, and tokens of it; all other times are extrapolated from these.
  // 0: nothing was timed, since the job does not fit into memory.
  double measured_seconds = 0;
  int64_t measured_tokens = 0;
  double seconds_per_step = 0;
  int64_t steps = 0;             // to be made
  double seconds_total = 0;      // of these steps, and of the curves by position between them
  double seconds_measuring = 0;  // of one whole measurement by the recipe
  TrainingMemory memory;         // predicted from sizes and settings
  int64_t measuring_bytes = 0;   // the process's predicted peak while it measures
  int64_t bytes_needed = 0;      // the larger of the two peaks
  int64_t bytes_available = 0;   // to this process, what it has already included; 0: not known
  bool fits = true;
  std::string advice;              // what would make it fit; empty: it fits
  std::vector<std::string> notes;  // sentences that a person must know before the start
};

}  // namespace farstate
