// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the chunked scan that its forward and backward passes share (ssd_chunks.h).
#include "kernels/cuda/pack.h"
#include "kernels/simd/check.h"
#include "kernels/ssd_scan/ssd_chunks.h"

namespace farstate::kernels::cuda {

ChunkSizes::ChunkSizes(const SsdScanSizes& s)
    : T(s.T),
      chunks(ceil_div(s.T, kSsdChunk)),
      B(static_cast<int>(s.B)),
      H(static_cast<int>(s.H)),
      P(static_cast<int>(s.P)),
      N(static_cast<int>(s.N)),
      G(static_cast<int>(s.G)),
      slices(G * static_cast<int>(ceil_div(H / G, kHeadsPerBlock))),
      tiles_p(static_cast<int>(ceil_div(P, kTile))),
      tiles_n(static_cast<int>(ceil_div(N, kTile))) {}

Steps Workspace::take_steps(const ChunkSizes& sizes, bool with_slope) {
  const int64_t count = sizes.all_chunks() * kSsdChunk;
  Steps steps;
  steps.dt = take<float>(count);
  steps.cs = take<float2>(count);
  steps.slope = with_slope ? take<float>(count) : nullptr;
  return steps;
}

bool ssd_scan_supports(const SsdScanSizes& s) {
  constexpr int64_t most_blocks = 0xffff;  // of a grid's second and third dimension
  return s.B >= 0 && s.B <= most_blocks && s.H >= 1 && s.H <= most_blocks && s.T >= 1 &&
         s.P >= 1 && s.P <= 128 && s.N >= 1 && s.N <= 256 && s.G >= 1 && s.H % s.G == 0 &&
         s.dt_min <= s.dt_max;
}

void check_supported(const SsdScanSizes& s) {
  require(ssd_scan_supports(s),
          "ssd_scan on CUDA: wanted T >= 1, P <= 128, N <= 256, H a multiple of G, H and B below "
          "65536, dt_min <= dt_max",
          {{"B", s.B}, {"T", s.T}, {"H", s.H}, {"P", s.P}, {"N", s.N}, {"G", s.G}});
}

namespace {

// ----- steps

constexpr int kStepHeads = 32;    // of a block, which reads their dt_raw along the heads
constexpr int kStepThreads = 256;
constexpr int kStepPitch = kTile + 2;  // even, for pairs

__device__ __forceinline__ float2 split(double value) {
  const float high = static_cast<float>(value);
  return make_float2(high, std::isfinite(high) ? static_cast<float>(value - high) : 0.0f);
}

// Grid (chunks x groups of 32 heads, 1, B). Read along the heads, summed up and written along the
// positions.
__global__ void __launch_bounds__(kStepThreads)
    prepare_steps_kernel(SsdScanInputs<float> in, ChunkSizes s, Steps steps) {
  SharedCarver shared;
  const SharedArray<float> dt = shared.take<float>(kStepHeads * kStepPitch);
  const SharedArray<float> slope = shared.take<float>(kStepHeads * kStepPitch);
  const int64_t c = blockIdx.x % s.chunks, first_head = blockIdx.x / s.chunks * kStepHeads;
  const ChunkPlace place(s, blockIdx.z, c);
  const int thread = static_cast<int>(threadIdx.x);
  const float dt_min = static_cast<float>(in.sizes.dt_min);
  const float dt_max = static_cast<float>(in.sizes.dt_max);

  const int column = thread % kStepHeads;
  const int64_t head = first_head + column;
  for (int t = thread / kStepHeads; t < kTile; t += kStepThreads / kStepHeads) {
    Step step = {0, 0};
    if (t < place.count && head < s.H) {
      const float raw =
          in.dt_raw[place.b * in.dt_stride_b + (place.t0 + t) * in.dt_stride_t + head];
      step = make_step(in.dt_bias == nullptr ? raw : raw + in.dt_bias[head], dt_min, dt_max);
    }
    dt[column * kStepPitch + t] = step.dt;
    slope[column * kStepPitch + t] = step.slope;
  }
  __syncthreads();

  // A warp for each head, two positions for each lane.
  const int lane = thread % kWarp;
  for (int h = thread / kWarp; h < kStepHeads && first_head + h < s.H; h += kStepThreads / kWarp) {
    const int64_t chunk = (place.b * s.H + first_head + h) * s.chunks + c;
    const float2 pair = load_vector<float2>(dt + (h * kStepPitch + 2 * lane));
    const double A = in.A[first_head + h];
    const double here = pair.x * A, next = pair.y * A;
    double upto = here + next;
    for (int distance = 1; distance < kWarp; distance *= 2) {
      const double before = __shfl_up_sync(kFullMask, upto, distance);
      if (lane >= distance) upto += before;
    }
    double before = __shfl_up_sync(kFullMask, upto, 1);
    if (lane == 0) before = 0;
    const float2 first = split(before + here), second = split(before + here + next);
    const int64_t to = chunk * kTile + 2 * lane;
    store_vector<float2>(steps.dt + to, pair);
    store_vector<float4>(steps.cs + to, make_float4(first.x, first.y, second.x, second.y));
    if (steps.slope != nullptr) {
      store_vector<float2>(steps.slope + to,
                           load_vector<float2>(slope + (h * kStepPitch + 2 * lane)));
    }
  }
}

// ----- sums of outer products

struct ChunkProducts {
  ChunkSizes s;
  Steps steps;
  ChunkOperand left, right;
  float* products;
};

// Grid (chunks x tiles of a state, H, B).
template <MatrixInputs kInputs, ChunkWeight kWeight>
__global__ void __launch_bounds__(kTileThreads, 2) chunk_products_kernel(ChunkProducts args) {
  const ChunkSizes& s = args.s;
  SharedCarver shared;
  const Tile left(shared), right(shared);
  const ChunkSteps steps(shared);
  const SharedArray<float> weight = shared.take<float>(kTile);
  const int tiles = s.tiles_p * s.tiles_n, block = static_cast<int>(blockIdx.x);
  const int c = block / tiles, tile = block % tiles;
  const int p0 = tile / s.tiles_n * kTile, n0 = tile % s.tiles_n * kTile;
  const int head = static_cast<int>(blockIdx.y), group = head / (s.H / s.G);
  const ChunkPlace place(s, blockIdx.z, c);
  const int64_t chunk = (place.b * s.H + head) * s.chunks + c;
  const int thread = static_cast<int>(threadIdx.x);

  steps.load(args.steps, chunk);
  __syncthreads();
  if (thread < kTile) {
    weight[thread] = kWeight == ChunkWeight::kToEnd
                         ? steps.dt[thread] * decay_between(steps.cs[kTile - 1], steps.cs[thread])
                         : decay_to(steps.cs[thread]);
  }
  __syncthreads();
  stage<kInputs>(left, place.rows(args.left, head * s.P + p0, (head + 1) * s.P), weight);
  stage<kInputs>(right, place.rows(args.right, group * s.N + n0, (group + 1) * s.N));
  __syncthreads();
  Product product;
  multiply<kInputs, Depth::kRows, Depth::kRows>(product, left, right, 0, depth_of(place.count));
  float* const to = args.products + chunk * s.P * s.N;
  for_each_pair(product, [&](int, int row, int column, float a, float b) {
    if (p0 + row < s.P) store_pair(to + (p0 + row) * s.N, n0 + column, s.N, a, b);
  });
}

// ----- from chunk to chunk

constexpr int kPassThreads = 256;

struct PassStates {
  ChunkSizes s;
  const float2* cs;
  bool backwards;
  const float* first;
  float* states;
  float* last;
};

// Grid (elements of a state, H, B): a thread keeps kWidth elements through all chunks.
template <int kWidth>
__global__ void __launch_bounds__(kPassThreads) pass_states_kernel(PassStates args) {
  using Elements = Pack<kWidth>;
  const ChunkSizes& s = args.s;
  const int64_t size = s.P * s.N, head = int64_t(blockIdx.z) * s.H + blockIdx.y;
  const int64_t element = (int64_t(blockIdx.x) * kPassThreads + threadIdx.x) * kWidth;
  if (element >= size) return;
  const int64_t step = args.backwards ? -1 : 1;
  int64_t chunk = head * s.chunks + (args.backwards ? s.chunks - 1 : 0);
  Elements carried = {};
  if (args.first != nullptr) carried = load_pack<kWidth>(args.first + head * size + element);
  Elements own = load_pack<kWidth>(args.states + chunk * size + element);
  for (int64_t i = 0; i < s.chunks; ++i, chunk += step) {
    float* const at = args.states + chunk * size + element;
    const float decay = decay_to(args.cs[chunk * kTile + kTile - 1]);
    Elements next = {};
    if (i + 1 < s.chunks) next = load_pack<kWidth>(at + step * size);
    store_pack(at, carried);
#pragma unroll
    for (int e = 0; e < kWidth; ++e) {
      carried.of[e] = decay * carried.of[e] + own.of[e];
    }
    own = next;
  }
  store_pack(args.last + head * size + element, carried);
}

}  // namespace

void prepare_steps(const SsdScanInputs<float>& in, const Steps& steps, Stream stream) {
  const ChunkSizes s(in.sizes);
  launch<prepare_steps_kernel>(Grid{s.chunks * ceil_div(s.H, kStepHeads), 1, s.B}, kStepThreads,
                               2 * shared_bytes<float>(kStepHeads * kStepPitch), stream, in, s,
                               steps);
}

template <ChunkWeight kWeight>
void chunk_products(const SsdScanSizes& sizes, const Steps& steps, ChunkOperand left,
                    ChunkOperand right, float* products, MatrixInputs inputs, Stream stream) {
  const ChunkSizes s(sizes);
  const ChunkProducts args{s, steps, left, right, products};
  with_inputs(inputs, [&]<MatrixInputs kInputs>() {
    launch<chunk_products_kernel<kInputs, kWeight>>(
        Grid{s.chunks * s.tiles_p * s.tiles_n, s.H, s.B}, kTileThreads,
        2 * kTileBytes + ChunkSteps::kBytes + shared_bytes<float>(kTile), stream, args);
  });
}

template void chunk_products<ChunkWeight::kToEnd>(const SsdScanSizes&, const Steps&, ChunkOperand,
                                                  ChunkOperand, float*, MatrixInputs, Stream);
template void chunk_products<ChunkWeight::kFromStart>(const SsdScanSizes&, const Steps&,
                                                      ChunkOperand, ChunkOperand, float*,
                                                      MatrixInputs, Stream);

void pass_states(const SsdScanSizes& sizes, const Steps& steps, bool backwards, const float* first,
                 float* states, float* last, Stream stream) {
  const ChunkSizes s(sizes);
  const PassStates args{s, steps.cs, backwards, first, states, last};
  const bool wide = packs_of_four(first, s.P * s.N) && packs_of_four(states, s.P * s.N) &&
                    packs_of_four(last, s.P * s.N);
  const auto grid = [&](int64_t width) {
    return Grid{ceil_div(s.P * s.N, kPassThreads * width), s.H, s.B};
  };
  if (wide) {
    launch<pass_states_kernel<4>>(grid(4), kPassThreads, 0, stream, args);
  } else {
    launch<pass_states_kernel<1>>(grid(1), kPassThreads, 0, stream, args);
  }
}

}  // namespace farstate::kernels::cuda
