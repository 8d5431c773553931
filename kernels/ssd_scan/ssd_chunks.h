// SPDX-License-Identifier: GPL-3.0-or-later
// What the chunked scan's forward and backward share on a CUDA device. Only for .cu files.
//
// A chunk is 64 positions; c counts them, chunk = (b H + h) nc + c is one of a head. Positions
// beyond T have dt = 0: they decay nothing and add nothing. Within a chunk
//   cs_t = sum over s <= t of dt_s A        (never positive for A <= 0)
// and what lies between two positions decays by exp(cs_i - cs_j). The difference is taken before
// the exponential: exp(cs_i) exp(-cs_j) overflows.
#pragma once

#include "kernels/cuda/tile.h"
#include "kernels/ssd_scan/ssd_scan_cuda.h"

namespace farstate::kernels::cuda {

static_assert(kSsdChunk == kTile);

// Heads of a group that one block works on one after another, with C B^T computed once. The fewer,
// the more blocks: four leave a quarter of that product to a head, 10 % of the forward's FLOPs.
inline constexpr int kHeadsPerBlock = 4;

// What ssd_scan_supports lets be large has 64 bits; the rest would only take registers.
struct ChunkSizes {
  int64_t T, chunks;  // of a head
  int B, H, P, N, G;
  int slices;  // of all groups: heads that share a block
  int tiles_p, tiles_n;

  explicit ChunkSizes(const SsdScanSizes& s);
  ChunkSizes() = default;
  __host__ __device__ int64_t all_chunks() const { return B * (H * chunks); }
};

// By chunk, [B,H,nc,64].
struct Steps {
  float* dt;
  // cs as the sum of two floats. One float is not enough: after a step of -1000 its last place is
  // worth 6e-5, and the decays behind would be off by as much.
  float2* cs;
  float* slope;  // derivative of dt by dt_raw, zero where dt is clamped; or null
};

// Cuts workspace memory into arrays.
class Workspace {
 public:
  explicit Workspace(void* memory) : memory_(static_cast<char*>(memory)) {}

  template <class T>
  T* take(int64_t count) {
    constexpr int64_t alignment = 256;
    char* const at = memory_ == nullptr ? nullptr : memory_ + used_;
    used_ += ceil_div(count * int64_t(sizeof(T)), alignment) * alignment;
    return reinterpret_cast<T*>(at);
  }
  Steps take_steps(const ChunkSizes& sizes, bool with_slope);
  int64_t used() const { return used_; }

 private:
  char* memory_;
  int64_t used_ = 0;
};

// Throws std::invalid_argument where the kernels can't take the sizes.
void check_supported(const SsdScanSizes& sizes);

// dt, cs and slope of all chunks.
void prepare_steps(const SsdScanInputs<float>& in, const Steps& steps, Stream stream);

// One operand of chunk_products: rows of P or N numbers, b and t strides apart.
struct ChunkOperand {
  const float* from;
  int64_t stride_b, stride_t;
};

// How position t counts in chunk_products.
enum class ChunkWeight {
  kToEnd,      // dt_t exp(cs_last - cs_t): what it adds to the state after the chunk
  kFromStart,  // exp(cs_t): what it sees of the state before the chunk
};

// products [B,H,nc,P,N]: sum over a chunk's positions of weight_t left_t (outer) right_t, with left
// [B,T,H*P] and right [B,T,G*N].
template <ChunkWeight kWeight>
void chunk_products(const SsdScanSizes& sizes, const Steps& steps, ChunkOperand left,
                    ChunkOperand right, float* products, MatrixInputs inputs, Stream stream);

// From chunk to chunk, forwards or backwards: carried = exp(cs_last) carried + states[chunk], where
// each of states [B,H,nc,P,N] makes room for what is carried into its chunk. `first` may be null
// (zero), and `last` may be `first`.
void pass_states(const SsdScanSizes& sizes, const Steps& steps, bool backwards, const float* first,
                 float* states, float* last, Stream stream);

// Calls kernel.operator()<inputs>().
template <class Kernel>
void with_inputs(MatrixInputs inputs, const Kernel& kernel) {
  switch (inputs) {
    case MatrixInputs::kFp32: return kernel.template operator()<MatrixInputs::kFp32>();
    case MatrixInputs::kTf32: return kernel.template operator()<MatrixInputs::kTf32>();
    case MatrixInputs::kBf16: return kernel.template operator()<MatrixInputs::kBf16>();
  }
}

// ----- on the device

// dt and its derivative by dt_raw.
struct Step {
  float dt, slope;
};

__device__ __forceinline__ Step make_step(float raw, float dt_min, float dt_max) {
  const float free = raw > 20 ? raw : log1pf(expf(raw));
  const float smooth = raw > 20 ? 1.0f : 1 / (1 + expf(-raw));
  if (free < dt_min) return {dt_min, 0};
  if (free > dt_max) return {dt_max, 0};
  return {free, smooth};
}

// exp(cs_i - cs_j) of a later position i and an earlier j.
__device__ __forceinline__ float decay_between(float2 later, float2 earlier) {
  return expf((later.x - earlier.x) + (later.y - earlier.y));
}

// exp(cs_i): from the chunk's beginning.
__device__ __forceinline__ float decay_to(float2 later) { return expf(later.x + later.y); }

__device__ __forceinline__ int smaller(int64_t a, int64_t b) {
  return static_cast<int>(a < b ? a : b);
}

// A chunk of a batch row, and what of the operands lies in it.
struct ChunkPlace {
  int64_t b, t0;  // its first position
  int count;      // positions inside T

  __device__ __forceinline__ ChunkPlace(const ChunkSizes& s, int64_t row, int64_t c)
      : b(row), t0(c * kSsdChunk), count(smaller(kSsdChunk, s.T - t0)) {}

  // Columns [first, end) of the chunk's rows, at most 64 of them.
  __device__ __forceinline__ Rows rows(const ChunkOperand& operand, int first, int end) const {
    return {operand.from + b * operand.stride_b + t0 * operand.stride_t + first, operand.stride_t,
            count, smaller(kTile, end - first)};
  }
};

// The heads of a slice, all of one group.
struct HeadRange {
  int group, begin, end;

  __device__ __forceinline__ HeadRange(const ChunkSizes& s, int slice) {
    const int heads = s.H / s.G, slices = s.slices / s.G;
    group = slice / slices;
    begin = group * heads + slice % slices * kHeadsPerBlock;
    end = begin + smaller(kHeadsPerBlock, (group + 1) * heads - begin);
  }
};

// Tile (p, n) of a state [P,N].
__device__ __forceinline__ Rows state_rows(const ChunkSizes& s, const float* state, int p0,
                                           int n0) {
  return {state + p0 * s.N + n0, s.N, smaller(kTile, s.P - p0), smaller(kTile, s.N - n0)};
}

// A head's steps of one chunk in shared memory.
struct ChunkSteps {
  SharedArray<float> dt;
  SharedArray<float2> cs;
  static constexpr int64_t kBytes = shared_bytes<float>(kTile) + shared_bytes<float2>(kTile);

  __device__ explicit ChunkSteps(SharedCarver& shared)
      : dt(shared.take<float>(kTile)), cs(shared.take<float2>(kTile)) {}

  __device__ __forceinline__ void load(const Steps& steps, int64_t chunk) const {
    const int t = static_cast<int>(threadIdx.x);
    if (t >= kTile) return;
    dt[t] = steps.dt[chunk * kTile + t];
    cs[t] = steps.cs[chunk * kTile + t];
  }
};

// A pair of neighbours to a row in global memory that ends behind `columns`.
__device__ __forceinline__ void store_pair(float* row, int column, int columns, float a,
                                           float b) {
  float* const to = row + column;
  if (column + 1 < columns && reinterpret_cast<uintptr_t>(to) % sizeof(float2) == 0) {
    store_vector<float2>(to, make_float2(a, b));
    return;
  }
  if (column < columns) to[0] = a;
  if (column + 1 < columns) to[1] = b;
}

}  // namespace farstate::kernels::cuda
