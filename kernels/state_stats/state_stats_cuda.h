// SPDX-License-Identifier: GPL-3.0-or-later
// The statistics of state_stats.h on a CUDA device: the same arguments, both pointers into the
// device's memory.
#pragma once

#include "kernels/cuda/stream.h"
#include "kernels/state_stats/state_stats.h"

namespace farstate::kernels::cuda {

void state_stats(const StateStats<float>& args, Stream stream);

}  // namespace farstate::kernels::cuda
