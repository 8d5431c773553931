// SPDX-License-Identifier: GPL-3.0-or-later
// One position of the recurrence (ssd_scan.h), the state in place. All that costs time is to read
// and write the state once, 8 bytes for 5 operations per element. A warp takes a row of a head's
// state, a lane every 32nd four of it, so that an access of a warp is 512 bytes in a row; x, B, C
// and what makes dt come from the cache.
#include "kernels/cuda/pack.h"
#include "kernels/cuda/reduce.h"
#include "kernels/simd/check.h"
#include "kernels/ssd_scan/ssd_chunks.h"
#include "kernels/state_stats/state_stats_cuda.h"

namespace farstate::kernels::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kRows = kThreads / kWarp;  // of a block

// Grid (rows of a head in groups of kRows, H, B). kWidth elements at once.
template <int kWidth>
__global__ void __launch_bounds__(kThreads) step_kernel(SsdScanForward<float> args) {
  const SsdScanInputs<float>& in = args.in;
  const int P = static_cast<int>(in.sizes.P), N = static_cast<int>(in.sizes.N);
  const int H = static_cast<int>(in.sizes.H), head = static_cast<int>(blockIdx.y);
  const int64_t b = blockIdx.z;
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const int p = static_cast<int>(blockIdx.x) * kRows + static_cast<int>(threadIdx.x) / kWarp;
  if (p >= P) return;

  const float raw = in.dt_raw[b * in.dt_stride_b + head];
  const float dt = make_step(in.dt_bias == nullptr ? raw : raw + in.dt_bias[head],
                             static_cast<float>(in.sizes.dt_min),
                             static_cast<float>(in.sizes.dt_max)).dt;
  const float decay = expf(dt * in.A[head]);
  const float x = in.x[b * in.xBC_stride_b + head * P + p], u = dt * x;
  const int64_t group = b * in.xBC_stride_b + head / (H / static_cast<int>(in.sizes.G)) * N;
  const int64_t row = ((b * H + head) * P + p) * N;
  float y = 0;
  for (int n = lane * kWidth; n < N; n += kWarp * kWidth) {
    Pack<kWidth> h = {};
    if (args.h_first != nullptr) h = load_pack<kWidth>(args.h_first + row + n);
    if (args.block_states != nullptr) store_pack(args.block_states + row + n, h);
    const Pack<kWidth> B = load_pack<kWidth>(in.B + group + n);
    const Pack<kWidth> C = load_pack<kWidth>(in.C + group + n);
#pragma unroll
    for (int e = 0; e < kWidth; ++e) {
      h.of[e] = decay * h.of[e] + u * B.of[e];
      y += h.of[e] * C.of[e];
    }
    store_pack(args.h_last + row + n, h);
  }
  y = warp_sum(y);
  if (lane == 0) args.y[(b * H + head) * P + p] = in.D == nullptr ? y : y + in.D[head] * x;
}

}  // namespace

void ssd_step(const SsdScanForward<float>& args, Stream stream) {
  const SsdScanInputs<float>& in = args.in;
  const SsdScanSizes& s = in.sizes;
  check_supported(s);
  require(s.T == 1 && args.K <= 1, "ssd_step on CUDA: wanted T = 1 and K <= 1",
          {{"T", s.T}, {"K", args.K}});
  require(in.x && in.B && in.C && in.dt_raw && in.A && args.y && args.h_last,
          "ssd_step on CUDA: wanted x, B, C, dt_raw, A, y and h_last; one is null");
  bool wide = packs_of_four(in.B, in.xBC_stride_b) && packs_of_four(in.C, in.xBC_stride_b);
  const float* const states[] = {args.h_first, args.block_states, args.h_last};
  for (const float* state : states) {
    wide = wide && packs_of_four(state, s.N);
  }
  const Grid grid{ceil_div(s.P, kRows), s.H, s.B};
  if (wide) {
    launch<step_kernel<4>>(grid, kThreads, 0, stream, args);
  } else {
    launch<step_kernel<1>>(grid, kThreads, 0, stream, args);
  }
  if (args.K == 1) state_stats({s.B * s.H, s.P * s.N, args.h_last, args.stats}, stream);
}

}  // namespace farstate::kernels::cuda
