// SPDX-License-Identifier: GPL-3.0-or-later
// The convolution of causal_conv1d.h on a CUDA device: the same arguments, every pointer into the
// device's memory. Everything is put into the stream and nothing waits. The same arguments give
// the same bits. The gradients of weight and bias are per batch row here: [B,C,W] and [B,C].
#pragma once

#include "kernels/causal_conv1d/causal_conv1d.h"
#include "kernels/cuda/stream.h"

namespace farstate::kernels::cuda {

void causal_conv1d_forward(const CausalConv1dForward<float>& args, Stream stream);
void causal_conv1d_backward(const CausalConv1dBackward<float>& args, Stream stream);

}  // namespace farstate::kernels::cuda
