// SPDX-License-Identifier: GPL-3.0-or-later
// Where LibTorch's CPU tensors get their memory. An unroll asks for the same sizes segment after
// segment. The C library gives a large tensor's pages back when it is freed and fetches them anew,
// zeroed, for the next one, which costs a third of an evaluation's time; told to keep them it
// fragments, since a freed aligned block is too small for the same request again, and the process
// grows with the length of the text. Here freed blocks wait for a tensor of their size, and what
// is held in all never exceeds the most that was ever in use at once by more than a fixed slack.
#pragma once

#include <cstddef>

namespace farstate::ops {

// Freed blocks that are kept though they fit no request: at most this much beyond the peak.
inline constexpr size_t kTensorMemorySlack = size_t{16} << 20;

// From here on, for the whole process. Further calls do nothing.
void install_tensor_memory();

// Gives the kept blocks back to the system and forgets the peak: between two jobs of which the second
// is to hold what it needs and no more.
void release_tensor_memory();

struct TensorMemoryUse {
  size_t in_use = 0;
  size_t kept = 0;  // free, waiting for a tensor
  size_t peak = 0;  // the most that was in use
};
TensorMemoryUse tensor_memory_use();

}  // namespace farstate::ops
