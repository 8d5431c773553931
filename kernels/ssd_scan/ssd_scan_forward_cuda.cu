// SPDX-License-Identifier: GPL-3.0-or-later
// The scan by chunks of 64 positions (SSD; Dao and Gu 2024, arXiv:2405.21060, section 6). Per
// chunk c of a head, with cs as in ssd_chunks.h:
//   S_c     = sum over t of exp(cs_last - cs_t) dt_t x_t (outer) B_t        chunk_products
//   h_{c+1} = exp(cs_last) h_c + S_c, h_0 = h_first                         pass_states
//   y_i     = exp(cs_i) C_i h_c + sum over j <= i of (C_i . B_j) exp(cs_i - cs_j) dt_j x_j + D x_i
// States are fp32 throughout. C B^T never leaves the registers.
//
// Counted, not timed: no device was at hand. For P 64, N 128, per position and head, the
// recurrence itself being 41 kFLOP:
//   1  a block per head: C B^T for each                       55 kFLOP
//   2  C B^T once for four heads of a group                   43
//   3  columns of later positions left out where a warp's
//      rows don't reach them (included above)                 -2
// Memory: 2.8 KB per position and head, 2.0 of them states (written as sums, read and written by
// pass_states, read here); x and y are the rest; B and C stay in the second cache between heads. At
// 16 FLOP per byte the pass is bound by memory with tensor cores, near balance without.
// outputs_kernel: 128 registers, 33 KB of shared memory: two blocks of 256 threads on every device.
#include "kernels/cuda/reduce.h"
#include "kernels/simd/check.h"
#include "kernels/ssd_scan/ssd_chunks.h"

namespace farstate::kernels::cuda {
namespace {

struct ForwardArgs {
  SsdScanForward<float> call;
  ChunkSizes s;
  Steps steps;
  const float* states;  // [B,H,nc,P,N]  entering the chunks

  __device__ __forceinline__ ChunkOperand x() const {
    return {call.in.x, call.in.xBC_stride_b, call.in.xBC_stride_t};
  }
  __device__ __forceinline__ ChunkOperand B() const {
    return {call.in.B, call.in.xBC_stride_b, call.in.xBC_stride_t};
  }
  __device__ __forceinline__ ChunkOperand C() const {
    return {call.in.C, call.in.xBC_stride_b, call.in.xBC_stride_t};
  }
};

// ----- outputs

// y of the columns from p0 on. `left` and `right` are free before and after.
template <MatrixInputs kInputs>
__device__ __forceinline__ void write_outputs(const ForwardArgs& args, const ChunkPlace& place,
                                              int64_t c, int head, int p0, Product& scores,
                                              const Tile& left, const Tile& right,
                                              const ChunkSteps& steps) {
  const ChunkSizes& s = args.s;
  const int group = head / (s.H / s.G);
  const float* const state = args.states + ((place.b * s.H + head) * s.chunks + c) * s.P * s.N;
  Product y;
#pragma unroll 1
  for (int n0 = 0; n0 < s.N; n0 += kTile) {
    stage<kInputs>(left, place.rows(args.C(), group * s.N + n0, (group + 1) * s.N));
    stage<kInputs>(right, state_rows(s, state, p0, n0));
    __syncthreads();
    multiply<kInputs, Depth::kColumns, Depth::kColumns>(y, left, right, 0,
                                                        depth_of(smaller(kTile, s.N - n0)));
    __syncthreads();
  }

  stage<kInputs>(right, place.rows(args.x(), head * s.P + p0, (head + 1) * s.P));
  for_each_pair(scores, [&](int, int i, int j, float first, float second) {
    const float2 cs = steps.cs[i];
    const float a = j <= i ? first * decay_between(cs, steps.cs[j]) * steps.dt[j] : 0.0f;
    const float b = j < i ? second * decay_between(cs, steps.cs[j + 1]) * steps.dt[j + 1] : 0.0f;
    left.set2(i, j, make_float2(round_input<kInputs>(a), round_input<kInputs>(b)));
  });
  for_each_pair(y, [&](int, int i, int, float& a, float& b) {
    const float decay = decay_to(steps.cs[i]);
    a *= decay;
    b *= decay;
  });
  __syncthreads();
  // Of the warp's rows the last sees positions up to itself.
  multiply<kInputs, Depth::kColumns, Depth::kRows>(y, left, right, 0, WarpPlace().row + 32);

  const float D = args.call.in.D == nullptr ? 0.0f : args.call.in.D[head];
  const Rows x = place.rows(args.x(), head * s.P + p0, (head + 1) * s.P);
  for_each_pair(y, [&](int, int i, int p, float a, float b) {
    if (i >= place.count || p >= x.columns) return;
    const float* const own = x.from + i * x.stride + p;
    a += D * own[0];
    if (p + 1 < x.columns) b += D * own[1];
    float* const row =
        args.call.y + ((place.b * s.T + place.t0 + i) * s.H + head) * s.P + p0;
    store_pair(row, p, x.columns, a, b);
  });
  __syncthreads();
}

// Grid (chunks, slices, B).
template <MatrixInputs kInputs>
__global__ void __launch_bounds__(kTileThreads, 2) outputs_kernel(ForwardArgs args) {
  const ChunkSizes& s = args.s;
  SharedCarver shared;
  const Tile left(shared), right(shared);
  const ChunkSteps steps(shared);
  const int64_t c = blockIdx.x;
  const ChunkPlace place(s, blockIdx.z, c);
  const HeadRange heads(s, static_cast<int>(blockIdx.y));

  Product scores;  // C_i . B_j
#pragma unroll 1
  for (int n0 = 0; n0 < s.N; n0 += kTile) {
    stage<kInputs>(left, place.rows(args.C(), heads.group * s.N + n0, (heads.group + 1) * s.N));
    stage<kInputs>(right, place.rows(args.B(), heads.group * s.N + n0, (heads.group + 1) * s.N));
    __syncthreads();
    multiply<kInputs, Depth::kColumns, Depth::kColumns>(scores, left, right, 0,
                                                        depth_of(smaller(kTile, s.N - n0)));
    __syncthreads();
  }
#pragma unroll 1
  for (int head = heads.begin; head < heads.end; ++head) {
    steps.load(args.steps, (place.b * s.H + head) * s.chunks + c);
    __syncthreads();
#pragma unroll 1
    for (int p0 = 0; p0 < s.P; p0 += kTile) {
      write_outputs<kInputs>(args, place, c, head, p0, scores, left, right, steps);
    }
  }
}

// ----- statistics

// As kernels/state_stats has them.
struct Moments {
  double sum = 0, sum_squares = 0, non_finite = 0;
  float max_abs = 0;

  __device__ __forceinline__ void add(float value) {
    if (!std::isfinite(value)) {
      non_finite += 1;
      return;
    }
    const double wide = value;
    sum += wide;
    sum_squares += wide * wide;
    max_abs = fmaxf(max_abs, fabsf(value));
  }
};

constexpr int kTileWarps = kTileThreads / kWarp;

// Grid (K, H, B): the state after a chosen position from the one that enters its chunk, and what
// the chunk's positions up to it add.
template <MatrixInputs kInputs>
__global__ void __launch_bounds__(kTileThreads, 2) statistics_kernel(ForwardArgs args) {
  const ChunkSizes& s = args.s;
  SharedCarver shared;
  const Tile left(shared), right(shared);
  const ChunkSteps steps(shared);
  const SharedArray<float> weight = shared.take<float>(kTile);
  const SharedArray<double> partial = shared.take<double>(kTileWarps);
  const SharedArray<float> partial_max = shared.take<float>(kTileWarps);
  const int64_t k = blockIdx.x;
  const int head = static_cast<int>(blockIdx.y), group = head / (s.H / s.G);
  const int64_t position = args.call.stat_positions[k], c = position / kSsdChunk;
  ChunkPlace place(s, blockIdx.z, c);
  place.count = static_cast<int>(position - place.t0) + 1;
  const int64_t chunk = (place.b * s.H + head) * s.chunks + c;
  const int thread = static_cast<int>(threadIdx.x);

  steps.load(args.steps, chunk);
  __syncthreads();
  const float2 here = steps.cs[place.count - 1];
  if (thread < kTile) {
    weight[thread] =
        thread < place.count ? steps.dt[thread] * decay_between(here, steps.cs[thread]) : 0.0f;
  }
  __syncthreads();
  const float decay = decay_to(here);
  Moments moments;
#pragma unroll 1
  for (int p0 = 0; p0 < s.P; p0 += kTile) {
#pragma unroll 1
    for (int n0 = 0; n0 < s.N; n0 += kTile) {
      stage<kInputs>(left, place.rows(args.x(), head * s.P + p0, (head + 1) * s.P), weight);
      stage<kInputs>(right, place.rows(args.B(), group * s.N + n0, (group + 1) * s.N));
      __syncthreads();
      Product product;
      multiply<kInputs, Depth::kRows, Depth::kRows>(product, left, right, 0, depth_of(place.count));
      const Rows before = state_rows(s, args.states + chunk * s.P * s.N, p0, n0);
      for_each_pair(product, [&](int, int row, int column, float a, float b) {
        if (row >= before.rows) return;
        const float* const from = before.from + row * before.stride + column;
        if (column < before.columns) moments.add(decay * from[0] + a);
        if (column + 1 < before.columns) moments.add(decay * from[1] + b);
      });
      __syncthreads();
    }
  }
  const double sum = block_sum<kTileThreads>(moments.sum, partial);
  const double sum_squares = block_sum<kTileThreads>(moments.sum_squares, partial);
  const double non_finite = block_sum<kTileThreads>(moments.non_finite, partial);
  const float max_abs = block_reduce<kTileThreads>(moments.max_abs, partial_max, Larger());
  if (thread != 0) return;
  double* const stats = args.call.stats + ((place.b * args.call.K + k) * s.H + head) * 4;
  stats[0] = sum;
  stats[1] = sum_squares;
  stats[2] = max_abs;
  stats[3] = non_finite;
}

// ----- on the host

struct ForwardMemory {
  Steps steps;
  float* states;  // where the call has no block_states
  int64_t bytes;

  ForwardMemory(const ChunkSizes& s, bool has_block_states, void* memory) {
    Workspace workspace(memory);
    steps = workspace.take_steps(s, false);
    states = has_block_states ? nullptr : workspace.take<float>(s.all_chunks() * s.P * s.N);
    bytes = workspace.used();
  }
};

}  // namespace

int64_t ssd_scan_forward_workspace(const SsdScanSizes& sizes, bool has_block_states) {
  check_supported(sizes);
  return ForwardMemory(ChunkSizes(sizes), has_block_states, nullptr).bytes;
}

void ssd_scan_forward(const SsdScanForward<float>& args, MatrixInputs inputs, void* workspace,
                      Stream stream) {
  const SsdScanInputs<float>& in = args.in;
  check_supported(in.sizes);
  require(in.x && in.B && in.C && in.dt_raw && in.A && args.y && args.h_last && workspace,
          "ssd_scan on CUDA: wanted x, B, C, dt_raw, A, y, h_last and a workspace; one is null");
  require(args.K == 0 || (args.stat_positions && args.stats),
          "ssd_scan on CUDA: wanted stat_positions and stats for K positions; one is null",
          {{"K", args.K}});
  const ChunkSizes s(in.sizes);
  const bool has_block_states = args.block_states != nullptr;
  const ForwardMemory memory(s, has_block_states, workspace);
  float* const states = has_block_states ? args.block_states : memory.states;
  const ForwardArgs forward{args, s, memory.steps, states};

  prepare_steps(in, memory.steps, stream);
  chunk_products<ChunkWeight::kToEnd>(in.sizes, memory.steps,
                                      {in.x, in.xBC_stride_b, in.xBC_stride_t},
                                      {in.B, in.xBC_stride_b, in.xBC_stride_t}, states, inputs,
                                      stream);
  pass_states(in.sizes, memory.steps, false, args.h_first, states, args.h_last, stream);
  constexpr int64_t shared = 2 * kTileBytes + ChunkSteps::kBytes;
  with_inputs(inputs, [&]<MatrixInputs kInputs>() {
    launch<outputs_kernel<kInputs>>(Grid{s.chunks, s.slices, s.B}, kTileThreads, shared, stream,
                                    forward);
    launch<statistics_kernel<kInputs>>(
        Grid{args.K, s.H, s.B}, kTileThreads,
        shared + shared_bytes<float>(kTile) + shared_bytes<double>(kTileWarps) +
            shared_bytes<float>(kTileWarps),
        stream,
        forward);
  });
}

}  // namespace farstate::kernels::cuda
