// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of each state on the device (state_stats.h): a block per state, each thread adds up
// every 256th element, and the threads' sums are added in a fixed order. Reads each state once,
// 4 bytes an element; two of its four operations are in fp64.
//
// Version ladder:
//   1. sums in fp32: no use, since sum^2 / elements is taken from the sum of squares
//   2. in fp64; a thread widens what it read and adds to registers
#include "kernels/cuda/device.h"
#include "kernels/cuda/reduce.h"
#include "kernels/state_stats/state_stats_cuda.h"

namespace farstate::kernels::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarp;
constexpr float kLargestFinite = 3.402823466e+38f;

__global__ void __launch_bounds__(kThreads) state_stats_kernel(StateStats<float> args) {
  const float* const h = args.h + int64_t{blockIdx.x} * args.elements;
  double sum = 0, sum_squares = 0, non_finite = 0;
  float max_abs = 0;
  for (int64_t i = threadIdx.x; i < args.elements; i += kThreads) {
    const float value = h[i], size = fabsf(value);
    if (size <= kLargestFinite) {  // false for NaN
      const double wide = value;
      sum += wide;
      sum_squares += wide * wide;
      max_abs = fmaxf(max_abs, size);
    } else {
      non_finite += 1;
    }
  }
  SharedCarver shared;
  const SharedArray<double> partial = shared.take<double>(kWarps);
  const SharedArray<float> partial_max = shared.take<float>(kWarps);
  sum = block_sum<kThreads>(sum, partial);
  sum_squares = block_sum<kThreads>(sum_squares, partial);
  non_finite = block_sum<kThreads>(non_finite, partial);
  max_abs = block_reduce<kThreads>(max_abs, partial_max, Larger());
  if (threadIdx.x != 0) return;
  double* const stats = args.stats + int64_t{blockIdx.x} * 4;
  stats[0] = sum;
  stats[1] = sum_squares;
  stats[2] = max_abs;
  stats[3] = non_finite;
}

}  // namespace

void state_stats(const StateStats<float>& args, Stream stream) {
  launch<state_stats_kernel>(Grid{args.rows}, kThreads,
                             shared_bytes<double>(kWarps) + shared_bytes<float>(kWarps), stream,
                             args);
}

}  // namespace farstate::kernels::cuda
