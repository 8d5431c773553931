// SPDX-License-Identifier: GPL-3.0-or-later
// Mamba-2's recurrence on a CUDA device. The arguments are the CPU's (ssd_scan.h), every pointer,
// stat_positions too, into the device's memory, with these differences:
//   - block_states is [B,H,ceil(T/kSsdChunk),P,N];
//   - ssd_scan_backward computes all gradients in one call; block_grads and block_sums are
//     not touched.
// Everything is put into the stream and nothing waits. The same arguments give the same bits.
// Memory from another device than the stream's, or of another size, is undefined behaviour.
#pragma once

#include <cstdint>

#include "kernels/cuda/matrix_inputs.h"
#include "kernels/cuda/stream.h"
#include "kernels/ssd_scan/ssd_scan.h"

namespace farstate::kernels::cuda {

// Positions that are computed as matrix products, from one state to the next.
inline constexpr int64_t kSsdChunk = 64;

// Whether the kernels below take these sizes: P <= 128, N <= 256, H and B below 2^16.
bool ssd_scan_supports(const SsdScanSizes& sizes);

// Bytes of device memory, at a multiple of 256, that a call may overwrite. A forward call whose
// arguments have block_states needs less.
int64_t ssd_scan_forward_workspace(const SsdScanSizes& sizes, bool has_block_states = false);
int64_t ssd_scan_backward_workspace(const SsdScanSizes& sizes);

// A value that is not finite spreads over its chunk, also to positions before it.
void ssd_scan_forward(const SsdScanForward<float>& args, MatrixInputs inputs, void* workspace,
                      Stream stream);
void ssd_scan_backward(const SsdScanBackward<float>& args, MatrixInputs inputs, void* workspace,
                       Stream stream);

// T = 1, in fp32 without matrix products. h_last may be h_first: the state is changed in place.
void ssd_step(const SsdScanForward<float>& args, Stream stream);

}  // namespace farstate::kernels::cuda
