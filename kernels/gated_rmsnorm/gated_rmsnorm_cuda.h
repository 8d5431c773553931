// SPDX-License-Identifier: GPL-3.0-or-later
// The norm of gated_rmsnorm.h on a CUDA device: the same arguments, every pointer into the
// device's memory. Everything is put into the stream and nothing waits. The same arguments give
// the same bits.
#pragma once

#include "kernels/cuda/stream.h"
#include "kernels/gated_rmsnorm/gated_rmsnorm.h"

namespace farstate::kernels::cuda {

void gated_rmsnorm_forward(const GatedRmsNormForward<float>& args, Stream stream);
void gated_rmsnorm_backward(const GatedRmsNormBackward<float>& args, Stream stream);

}  // namespace farstate::kernels::cuda
