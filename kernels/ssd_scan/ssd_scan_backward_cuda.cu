// SPDX-License-Identifier: GPL-3.0-or-later
// Gradients of the chunked scan (ssd_scan_forward_cuda.cu). Per chunk c of a head, h_c entering it,
// g_{c+1} the gradient of the state leaving it, E_ij = exp(cs_i - cs_j) for j <= i and else 0,
// to_end_j = exp(cs_last - cs_j):
//   g_c     = exp(cs_last) g_{c+1} + sum over i of exp(cs_i) grad_y_i (outer) C_i
//             chunk_products, pass_states backwards; grad_h_first = g_0
//   V_j     = sum over i of (C_i . B_j) E_ij grad_y_i + to_end_j g_{c+1} B_j
//   grad_x_j = dt_j V_j + D grad_y_j                                    position_gradients
//   K_ij    = E_ij dt_j (grad_y_i . x_j), added up over heads of a group
//   grad_C_i = sum over j of K_ij B_j + sum over heads of exp(cs_i) grad_y_i h_c
//   grad_B_j = sum over i of K_ij C_i + sum over heads of to_end_j dt_j x_j g_{c+1}
//             the terms with states: state_gradients; the others: position_gradients
// The exponent a_t = dt_t A of a step reaches, with R_ij = K_ij (C_i . B_j) of one head,
//   grad_a_t = sum over j < t <= i of R_ij                              pairs on its two sides
//            + sum over i >= t of exp(cs_i) C_i . (grad_y_i h_c)        from the state before
//            + sum over j < t of to_end_j dt_j x_j . (g_{c+1} B_j)      into the state after
//            + exp(cs_last) <h_c, g_{c+1}>                              from the one to the other
// Each pair is added, none subtracted: row sums minus column sums of R would be shorter, and
// lose the small gradients of steps between large ones.
//   grad_dt_t = V_t . x_t + A grad_a_t
// Sums over heads, chunks and columns have a fixed order; there are no atomics.
//
// Counted, not timed: no device was at hand. For P 64, N 128, per position and head:
//   1  a block per head: grad_C and grad_B by head           121 kFLOP
//   2  C B^T, and K times B and C, once for four heads        90
// Memory: 5.5 KB per position and head, 3.5 of them states and their gradients. Spilled by
// position_gradients_kernel (tf32, 128 registers, 8.0), bytes loaded again: 112 with sizes of 64
// bits, 88 of 32 bits, 40 with the sums of rows in shared memory, none with one fragment of depth
// at a time. The two large kernels take 66 and 69 KB of shared memory: one block of 256 threads
// where a multiprocessor has 100 KB, else two.
#include "kernels/cuda/reduce.h"
#include "kernels/simd/check.h"
#include "kernels/ssd_scan/ssd_chunks.h"

namespace farstate::kernels::cuda {
namespace {

constexpr int kTileWarps = kTileThreads / kWarp;

// Of a chunk of a head: what its positions add to the gradients of A, D and dt_bias.
struct ChunkSums {
  double A, D, dt_bias;
};

struct BackwardArgs {
  SsdScanBackward<float> call;
  ChunkSizes s;
  Steps steps;
  const float* state_gradients;  // [B,H,nc,P,N]  g_{c+1}
  float *slice_B, *slice_C;      // [B,T,S,N]  gradients, of a slice of heads
  float* seen;                   // [tiles_n,B,H,nc,64]  exp(cs_i) C_i . (grad_y_i h_c)
  double* kept;                  // [tiles_n,B,H,nc]  <h_c, g_{c+1}>
  ChunkSums* sums;               // [B,H,nc]

  __device__ __forceinline__ ChunkOperand x() const {
    return {call.in.x, call.in.xBC_stride_b, call.in.xBC_stride_t};
  }
  __device__ __forceinline__ ChunkOperand B() const {
    return {call.in.B, call.in.xBC_stride_b, call.in.xBC_stride_t};
  }
  __device__ __forceinline__ ChunkOperand C() const {
    return {call.in.C, call.in.xBC_stride_b, call.in.xBC_stride_t};
  }
  __device__ __forceinline__ ChunkOperand grad_y() const {
    return {call.grad_y, call.grad_y_stride_b, call.grad_y_stride_t};
  }
  __device__ __forceinline__ int64_t chunk(int64_t b, int head, int64_t c) const {
    return (b * s.H + head) * s.chunks + c;
  }
  // Row of position (b, t) in slice_B and slice_C.
  __device__ __forceinline__ int64_t slice_row(int64_t b, int64_t t, int slice) const {
    return ((b * s.T + t) * s.slices + slice) * s.N;
  }
};

// ----- gradients that come through the states

// exp(cs_i) and to_end_j dt_j of a head.
struct StateWeights {
  SharedArray<float> seen, added;
  static constexpr int64_t kBytes = 2 * shared_bytes<float>(kTile);

  __device__ explicit StateWeights(SharedCarver& shared)
      : seen(shared.take<float>(kTile)), added(shared.take<float>(kTile)) {}

  __device__ __forceinline__ void load(const Steps& steps, int64_t chunk) const {
    const int t = static_cast<int>(threadIdx.x);
    if (t >= kTile) return;
    const float2 cs = steps.cs[chunk * kTile + t];
    const float2 last = steps.cs[chunk * kTile + kTile - 1];
    seen[t] = decay_to(cs);
    added[t] = steps.dt[chunk * kTile + t] * decay_between(last, cs);
  }
};

// Grid (chunks x tiles of n, slices, B): columns n of grad_B and grad_C.
template <MatrixInputs kInputs>
__global__ void __launch_bounds__(kTileThreads, 2) state_gradients_kernel(BackwardArgs args) {
  const ChunkSizes& s = args.s;
  SharedCarver shared;
  const Tile grad_y(shared), state(shared), x(shared), gradient(shared);
  const StateWeights weights(shared);
  const SharedArray<float> row_sums = shared.take<float>(kRowSums);
  const SharedArray<double> of_warps = shared.take<double>(kTileWarps);
  const int c = static_cast<int>(blockIdx.x) / s.tiles_n;
  const int tile = static_cast<int>(blockIdx.x) % s.tiles_n, n0 = tile * kTile;
  const int slice = static_cast<int>(blockIdx.y);
  const ChunkPlace place(s, blockIdx.z, c);
  const HeadRange heads(s, slice);
  const int thread = static_cast<int>(threadIdx.x);
  const Rows C = place.rows(args.C(), heads.group * s.N + n0, (heads.group + 1) * s.N);

  Product grad_B, grad_C;
#pragma unroll 1
  for (int head = heads.begin; head < heads.end; ++head) {
    const int64_t chunk = args.chunk(place.b, head, c);
    weights.load(args.steps, chunk);
    __syncthreads();
    Product grad_C_head;
    float kept = 0;
#pragma unroll 1
    for (int p0 = 0; p0 < s.P; p0 += kTile) {
      const int first = head * s.P + p0, end = (head + 1) * s.P;
      stage<kInputs>(grad_y, place.rows(args.grad_y(), first, end), weights.seen);
      stage<kInputs>(x, place.rows(args.x(), first, end), weights.added);
      const int64_t at = chunk * s.P * s.N;
      for_each_four<2>({state_rows(s, args.call.block_states + at, p0, n0),
                        state_rows(s, args.state_gradients + at, p0, n0)},
                       [&](int row, int column, const float4 (&four)[2]) {
                         const float4 h = four[0], g = four[1];
                         kept += h.x * g.x + h.y * g.y + (h.z * g.z + h.w * g.w);
                         state.set4(row, column, round_four<kInputs>(h));
                         gradient.set4(row, column, round_four<kInputs>(g));
                       });
      __syncthreads();
      const int depth = depth_of(smaller(kTile, s.P - p0));
      multiply<kInputs, Depth::kColumns, Depth::kRows>(grad_C_head, grad_y, state, 0, depth);
      multiply<kInputs, Depth::kColumns, Depth::kRows>(grad_B, x, gradient, 0, depth);
      __syncthreads();
    }

    float seen[kThreadRows] = {};
    for_each_pair(grad_C_head, [&](int r, int i, int n, float a, float b) {
      if (i >= place.count) return;
      const float* const own = C.from + i * C.stride + n;
      if (n < C.columns) seen[r] += own[0] * a;
      if (n + 1 < C.columns) seen[r] += own[1] * b;
    });
    clear_row_sums(row_sums);
    add_row_sums(seen, row_sums);
    const double kept_by_warp = warp_sum(static_cast<double>(kept));
    if (thread % kWarp == 0) of_warps[thread / kWarp] = kept_by_warp;
    __syncthreads();
    const int64_t to = tile * s.all_chunks() + chunk;
    if (thread < kTile) args.seen[to * kTile + thread] = row_sum(row_sums, thread);
    if (thread == kTile) {
      double sum = 0;
      for (int warp = 0; warp < kTileWarps; ++warp) sum += of_warps[warp];
      args.kept[to] = sum;
    }
    for_each_pairs([](int, int, int, float* sum, const float* head_sum) {
      sum[0] += head_sum[0];
      sum[1] += head_sum[1];
    }, grad_C, grad_C_head);
    __syncthreads();
  }

  const auto write = [&](Product& product, float* to) {
    for_each_pair(product, [&](int, int t, int n, float a, float b) {
      if (t >= place.count) return;
      store_pair(to + args.slice_row(place.b, place.t0 + t, slice), n0 + n, s.N, a, b);
    });
  };
  write(grad_B, args.slice_B);
  write(grad_C, args.slice_C);
}

// ----- gradients between the positions of a chunk

struct PositionMemory {
  Tile left, right, pairs, gradient;
  ChunkSteps steps;
  SharedArray<float> grad_a;              // [8 warps,64]
  SharedArray<float> grad_u, into_state;  // row sums: V . x, to_end x . (g B)
  SharedArray<double> grad_D;             // [8 warps]
  static constexpr int64_t kBytes = 4 * kTileBytes + ChunkSteps::kBytes +
                                    shared_bytes<float>(kTileWarps * kTile) +
                                    2 * shared_bytes<float>(kRowSums) +
                                    shared_bytes<double>(kTileWarps);

  __device__ explicit PositionMemory(SharedCarver& shared)
      : left(shared), right(shared), pairs(shared), gradient(shared), steps(shared),
        grad_a(shared.take<float>(kTileWarps * kTile)),
        grad_u(shared.take<float>(kRowSums)),
        into_state(shared.take<float>(kRowSums)),
        grad_D(shared.take<double>(kTileWarps)) {}
};

// product += left [64,columns] right [64,columns]^T, `columns` a multiple of nothing in particular;
// rows(first) are the operands' rows from column `first` on.
template <MatrixInputs kInputs, class LeftRows, class RightRows>
__device__ __forceinline__ void multiply_rows(Product& product, const Tile& left, const Tile& right,
                                              int columns, const LeftRows& left_rows,
                                              const RightRows& right_rows) {
#pragma unroll 1
  for (int first = 0; first < columns; first += kTile) {
    stage<kInputs>(left, left_rows(first));
    stage<kInputs>(right, right_rows(first));
    __syncthreads();
    multiply<kInputs, Depth::kColumns, Depth::kColumns>(product, left, right, 0,
                                                        depth_of(smaller(kTile, columns - first)));
    __syncthreads();
  }
}

// The sum over j < t <= i of pairs_ij for every t, by warps: each takes every eighth row i, and a
// lane the sums for t = 2 lane and 2 lane + 1.
__device__ __forceinline__ void sum_across(const Tile& pairs, SharedArray<float> grad_a) {
  const int thread = static_cast<int>(threadIdx.x), lane = thread % kWarp, warp = thread / kWarp;
  float even = 0, odd = 0;
  for (int i = warp; i < kTile; i += kTileWarps) {
    const float2 pair = pairs.get2(i, 2 * lane);
    float upto = pair.x + pair.y;
    for (int distance = 1; distance < kWarp; distance *= 2) {
      const float before = __shfl_up_sync(kFullMask, upto, distance);
      if (lane >= distance) upto += before;
    }
    float before = __shfl_up_sync(kFullMask, upto, 1);
    if (lane == 0) before = 0;
    if (2 * lane <= i) even += before;
    if (2 * lane + 1 <= i) odd += before + pair.x;
  }
  grad_a[warp * kTile + 2 * lane] = even;
  grad_a[warp * kTile + 2 * lane + 1] = odd;
}

// grad_x of one head's columns from p0 on, and what they add to the row sums; returns the thread's
// part of grad_D. memory.right holds (C_i . B_j) E_ij.
template <MatrixInputs kInputs>
__device__ __forceinline__ float write_grad_x(const BackwardArgs& args, const ChunkPlace& place,
                                              int64_t chunk, int head, int p0,
                                              const PositionMemory& memory) {
  const ChunkSizes& s = args.s;
  const int group = head / (s.H / s.G), first = head * s.P + p0, end = (head + 1) * s.P;
  const float* const state_gradient = args.state_gradients + chunk * s.P * s.N;
  const Rows x = place.rows(args.x(), first, end), grad_y = place.rows(args.grad_y(), first, end);
  const ChunkSteps& steps = memory.steps;

  Product V;
  multiply_rows<kInputs>(
      V, memory.pairs, memory.gradient, s.N,
      [&](int n0) { return place.rows(args.B(), group * s.N + n0, (group + 1) * s.N); },
      [&](int n0) { return state_rows(s, state_gradient, p0, n0); });
  stage<kInputs>(memory.left, grad_y);
  float into_state[kThreadRows] = {};
  for_each_pair(V, [&](int r, int j, int p, float& a, float& b) {
    const float to_end = decay_between(steps.cs[kTile - 1], steps.cs[j]);
    a *= to_end;
    b *= to_end;
    if (j >= place.count) return;
    const float* const own = x.from + j * x.stride + p;
    if (p < x.columns) into_state[r] += a * own[0];
    if (p + 1 < x.columns) into_state[r] += b * own[1];
  });
  add_row_sums(into_state, memory.into_state);
  __syncthreads();
  // The warp's first row is reached from itself on.
  multiply<kInputs, Depth::kRows, Depth::kRows>(V, memory.right, memory.left, WarpPlace().row,
                                                kTile);
  const float D = args.call.in.D == nullptr ? 0.0f : args.call.in.D[head];
  float grad_u[kThreadRows] = {}, grad_D = 0;
  for_each_pair(V, [&](int r, int j, int p, float a, float b) {
    if (j >= place.count || p >= x.columns) return;
    const float* const own_x = x.from + j * x.stride + p;
    const float* const own_y = grad_y.from + j * grad_y.stride + p;
    const float dt = steps.dt[j];
    float second = 0;
    grad_u[r] += a * own_x[0];
    grad_D += own_y[0] * own_x[0];
    if (p + 1 < x.columns) {
      second = dt * b + D * own_y[1];
      grad_u[r] += b * own_x[1];
      grad_D += own_y[1] * own_x[1];
    }
    float* const row = args.call.grad_x + place.b * args.call.grad_xBC_stride_b +
                       (place.t0 + j) * args.call.grad_xBC_stride_t + first;
    store_pair(row, p, x.columns, dt * a + D * own_y[0], second);
  });
  add_row_sums(grad_u, memory.grad_u);
  __syncthreads();
  return grad_D;
}

// One warp puts a head's gradients of dt_raw together, two positions for each lane, and what they
// add to the sums.
__device__ __forceinline__ void write_grad_dt(const BackwardArgs& args, const ChunkPlace& place,
                                              int64_t chunk, int head,
                                              const PositionMemory& memory) {
  const ChunkSizes& s = args.s;
  const int lane = static_cast<int>(threadIdx.x);
  float grad_a[2], seen[2], into_state[2];
  const float2 last = memory.steps.cs[kTile - 1];
  double kept = 0;
#pragma unroll 1
  for (int tile = 0; tile < s.tiles_n; ++tile) {
    kept += args.kept[tile * s.all_chunks() + chunk];
  }
#pragma unroll
  for (int e = 0; e < 2; ++e) {
    const int t = 2 * lane + e;
    grad_a[e] = seen[e] = 0;
    for (int warp = 0; warp < kTileWarps; ++warp) grad_a[e] += memory.grad_a[warp * kTile + t];
#pragma unroll 1
    for (int tile = 0; tile < s.tiles_n; ++tile) {
      seen[e] += args.seen[(tile * s.all_chunks() + chunk) * kTile + t];
    }
    into_state[e] = memory.steps.dt[t] * row_sum(memory.into_state, t);
  }
  // From the lane's first position on, and up to its second.
  float from = seen[0] + seen[1], upto = into_state[0] + into_state[1];
  for (int distance = 1; distance < kWarp; distance *= 2) {
    const float after = __shfl_down_sync(kFullMask, from, distance);
    const float before = __shfl_up_sync(kFullMask, upto, distance);
    if (lane + distance < kWarp) from += after;
    if (lane >= distance) upto += before;
  }
  float after = __shfl_down_sync(kFullMask, from, 1), before = __shfl_up_sync(kFullMask, upto, 1);
  if (lane == kWarp - 1) after = 0;
  if (lane == 0) before = 0;
  const float through = decay_to(last) * static_cast<float>(kept);
  grad_a[0] += from + before + through;
  grad_a[1] += seen[1] + after + (before + into_state[0]) + through;

  const float A = args.call.in.A[head];
  ChunkSums sums = {0, 0, 0};
#pragma unroll
  for (int e = 0; e < 2; ++e) {
    const int t = 2 * lane + e;
    if (t >= place.count) continue;
    const float slope = args.steps.slope[chunk * kTile + t];
    const float grad_dt_raw = (row_sum(memory.grad_u, t) + A * grad_a[e]) * slope;
    args.call.grad_dt_raw[(place.b * s.T + place.t0 + t) * s.H + head] = grad_dt_raw;
    sums.A += static_cast<double>(memory.steps.dt[t]) * grad_a[e];
    sums.dt_bias += grad_dt_raw;
  }
  sums.A = warp_sum(sums.A);
  sums.dt_bias = warp_sum(sums.dt_bias);
  for (int warp = 0; warp < kTileWarps; ++warp) sums.D += memory.grad_D[warp];
  if (lane == 0) args.sums[chunk] = sums;
}

// K of one head added to `grad_scores`; memory.right and memory.pairs become (C_i . B_j) E_ij and
// R_ij, memory.left and memory.gradient are free.
template <MatrixInputs kInputs>
__device__ __forceinline__ void weigh_pairs(Product& scores, Product& products,
                                            Product& grad_scores, const PositionMemory& memory) {
  const ChunkSteps& steps = memory.steps;
  for_each_pairs([&](int, int i, int j, const float* score, const float* product, float* grad) {
    float kernel[2], pair[2];
#pragma unroll
    for (int e = 0; e < 2; ++e) {
      const bool reaches = j + e <= i;
      const float decay = reaches ? decay_between(steps.cs[i], steps.cs[j + e]) : 0.0f;
      const float K = reaches ? product[e] * decay * steps.dt[j + e] : 0.0f;
      kernel[e] = reaches ? score[e] * decay : 0.0f;
      pair[e] = j + e < i ? K * score[e] : 0.0f;
      grad[e] += K;
    }
    memory.right.set2(i, j, make_float2(round_input<kInputs>(kernel[0]),
                                        round_input<kInputs>(kernel[1])));
    memory.pairs.set2(i, j, make_float2(pair[0], pair[1]));
  }, scores, products, grad_scores);
}

// The slice's grad_scores times B and C: added to what state_gradients left.
template <MatrixInputs kInputs, Depth kDepth>
__device__ __forceinline__ void add_scores_part(const BackwardArgs& args, const ChunkPlace& place,
                                                int group, int slice,
                                                const ChunkOperand& other, float* to,
                                                const Tile& grad_scores, const Tile& right) {
  const ChunkSizes& s = args.s;
#pragma unroll 1
  for (int n0 = 0; n0 < s.N; n0 += kTile) {
    stage<kInputs>(right, place.rows(other, group * s.N + n0, (group + 1) * s.N));
    __syncthreads();
    Product product;
    const int row = WarpPlace().row;
    multiply<kInputs, kDepth, Depth::kRows>(product, grad_scores, right,
                                            kDepth == Depth::kRows ? row : 0,
                                            kDepth == Depth::kRows ? kTile : row + 32);
    for_each_pair(product, [&](int, int t, int n, float a, float b) {
      if (t >= place.count || n0 + n >= s.N) return;
      float* const at = to + args.slice_row(place.b, place.t0 + t, slice);
      a += at[n0 + n];
      if (n0 + n + 1 < s.N) b += at[n0 + n + 1];
      store_pair(at, n0 + n, s.N, a, b);
    });
    __syncthreads();
  }
}

// Grid (chunks, slices, B).
template <MatrixInputs kInputs>
__global__ void __launch_bounds__(kTileThreads, 2) position_gradients_kernel(BackwardArgs args) {
  const ChunkSizes& s = args.s;
  SharedCarver shared;
  const PositionMemory memory(shared);
  const int c = static_cast<int>(blockIdx.x), slice = static_cast<int>(blockIdx.y);
  const ChunkPlace place(s, blockIdx.z, c);
  const HeadRange heads(s, slice);
  const auto group_rows = [&](const ChunkOperand& operand) {
    return [&place, &s, operand, first = heads.group * s.N](int n0) {
      return place.rows(operand, first + n0, first + s.N);
    };
  };

  Product scores, grad_scores;  // C_i . B_j; K_ij of the heads so far
  multiply_rows<kInputs>(scores, memory.left, memory.right, s.N, group_rows(args.C()),
                         group_rows(args.B()));
#pragma unroll 1
  for (int head = heads.begin; head < heads.end; ++head) {
    const int64_t chunk = args.chunk(place.b, head, c);
    const auto head_rows = [&](const ChunkOperand& operand) {
      return [&place, &s, operand, first = head * s.P](int p0) {
        return place.rows(operand, first + p0, first + s.P);
      };
    };
    memory.steps.load(args.steps, chunk);
    Product products;  // grad_y_i . x_j
    multiply_rows<kInputs>(products, memory.left, memory.right, s.P, head_rows(args.grad_y()),
                           head_rows(args.x()));
    weigh_pairs<kInputs>(scores, products, grad_scores, memory);
    __syncthreads();
    sum_across(memory.pairs, memory.grad_a);
    __syncthreads();

    clear_row_sums(memory.grad_u);
    clear_row_sums(memory.into_state);
    double grad_D = 0;
#pragma unroll 1
    for (int p0 = 0; p0 < s.P; p0 += kTile) {
      grad_D += write_grad_x<kInputs>(args, place, chunk, head, p0, memory);
    }
    grad_D = warp_sum(grad_D);
    if (threadIdx.x % kWarp == 0) memory.grad_D[threadIdx.x / kWarp] = grad_D;
    __syncthreads();
    if (threadIdx.x < kWarp) write_grad_dt(args, place, chunk, head, memory);
    __syncthreads();
  }

  for_each_pair(grad_scores, [&](int, int i, int j, float a, float b) {
    memory.left.set2(i, j, make_float2(round_input<kInputs>(a), round_input<kInputs>(b)));
  });
  __syncthreads();
  add_scores_part<kInputs, Depth::kColumns>(args, place, heads.group, slice, args.B(), args.slice_C,
                                            memory.left, memory.right);
  add_scores_part<kInputs, Depth::kRows>(args, place, heads.group, slice, args.C(), args.slice_B,
                                         memory.left, memory.right);
}

// ----- sums over slices and chunks

constexpr int kSumThreads = 256;

// Grid (elements of a batch row's B, 1, B): [T,S,N] -> [T,G*N].
__global__ void __launch_bounds__(kSumThreads) add_slices_kernel(BackwardArgs args) {
  const ChunkSizes& s = args.s;
  const int64_t element = int64_t(blockIdx.x) * kSumThreads + threadIdx.x, b = blockIdx.z;
  if (element >= s.T * s.G * s.N) return;
  const int row = static_cast<int>(element % (s.G * s.N)), group = row / s.N, n = row % s.N;
  const int64_t t = element / (s.G * s.N);
  const int slices = s.slices / s.G;
  const int64_t from = args.slice_row(b, t, group * slices) + n;
  float grad_B = 0, grad_C = 0;
  for (int slice = 0; slice < slices; ++slice) {
    grad_B += args.slice_B[from + slice * s.N];
    grad_C += args.slice_C[from + slice * s.N];
  }
  const int64_t to = b * args.call.grad_xBC_stride_b + t * args.call.grad_xBC_stride_t + row;
  args.call.grad_B[to] = grad_B;
  args.call.grad_C[to] = grad_C;
}

// Grid (H, 1, B), one warp.
__global__ void __launch_bounds__(kWarp) add_chunks_kernel(BackwardArgs args) {
  const ChunkSizes& s = args.s;
  const int64_t head = int64_t(blockIdx.z) * s.H + blockIdx.x;
  ChunkSums total = {0, 0, 0};
  for (int64_t c = threadIdx.x; c < s.chunks; c += kWarp) {
    const ChunkSums& sums = args.sums[head * s.chunks + c];
    total.A += sums.A;
    total.D += sums.D;
    total.dt_bias += sums.dt_bias;
  }
  total.A = warp_sum(total.A);
  total.D = warp_sum(total.D);
  total.dt_bias = warp_sum(total.dt_bias);
  if (threadIdx.x != 0) return;
  args.call.grad_A[head] = total.A;
  args.call.grad_D[head] = total.D;
  args.call.grad_dt_bias[head] = total.dt_bias;
}

// ----- on the host

struct BackwardMemory {
  Steps steps;
  float *state_gradients, *slice_B, *slice_C, *seen;
  double* kept;
  ChunkSums* sums;
  int64_t bytes;

  BackwardMemory(const ChunkSizes& s, void* memory) {
    Workspace workspace(memory);
    steps = workspace.take_steps(s, true);
    state_gradients = workspace.take<float>(s.all_chunks() * s.P * s.N);
    slice_B = workspace.take<float>(s.B * s.T * s.slices * s.N);
    slice_C = workspace.take<float>(s.B * s.T * s.slices * s.N);
    seen = workspace.take<float>(s.tiles_n * s.all_chunks() * kTile);
    kept = workspace.take<double>(s.tiles_n * s.all_chunks());
    sums = workspace.take<ChunkSums>(s.all_chunks());
    bytes = workspace.used();
  }
};

}  // namespace

int64_t ssd_scan_backward_workspace(const SsdScanSizes& sizes) {
  check_supported(sizes);
  return BackwardMemory(ChunkSizes(sizes), nullptr).bytes;
}

void ssd_scan_backward(const SsdScanBackward<float>& args, MatrixInputs inputs, void* workspace,
                       Stream stream) {
  const SsdScanInputs<float>& in = args.in;
  check_supported(in.sizes);
  require(in.x && in.B && in.C && in.dt_raw && in.A && args.block_states && args.grad_y,
          "ssd_scan on CUDA: wanted x, B, C, dt_raw, A, block_states and grad_y; one is null");
  require(args.grad_x && args.grad_B && args.grad_C && args.grad_dt_raw && args.grad_h_first &&
              args.grad_A && args.grad_D && args.grad_dt_bias && workspace,
          "ssd_scan on CUDA: wanted every gradient's memory and a workspace; one is null");
  const ChunkSizes s(in.sizes);
  const BackwardMemory memory(s, workspace);
  const BackwardArgs backward{args,           s,           memory.steps, memory.state_gradients,
                              memory.slice_B, memory.slice_C, memory.seen,  memory.kept,
                              memory.sums};

  prepare_steps(in, memory.steps, stream);
  chunk_products<ChunkWeight::kFromStart>(
      in.sizes, memory.steps, {args.grad_y, args.grad_y_stride_b, args.grad_y_stride_t},
      {in.C, in.xBC_stride_b, in.xBC_stride_t}, memory.state_gradients, inputs, stream);
  pass_states(in.sizes, memory.steps, true, args.grad_h_last, memory.state_gradients,
              args.grad_h_first, stream);
  with_inputs(inputs, [&]<MatrixInputs kInputs>() {
    launch<state_gradients_kernel<kInputs>>(
        Grid{s.chunks * s.tiles_n, s.slices, s.B}, kTileThreads,
        4 * kTileBytes + StateWeights::kBytes + shared_bytes<float>(kRowSums) +
            shared_bytes<double>(kTileWarps),
        stream, backward);
    launch<position_gradients_kernel<kInputs>>(Grid{s.chunks, s.slices, s.B}, kTileThreads,
                                               PositionMemory::kBytes, stream, backward);
  });
  launch<add_slices_kernel>(Grid{ceil_div(s.T * s.G * s.N, kSumThreads), 1, s.B}, kSumThreads, 0,
                            stream, backward);
  launch<add_chunks_kernel>(Grid{s.H, 1, s.B}, kWarp, 0, stream, backward);
}

}  // namespace farstate::kernels::cuda
