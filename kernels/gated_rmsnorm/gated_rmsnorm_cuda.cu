// SPDX-License-Identifier: GPL-3.0-or-later
// Gated, grouped root mean square normalisation on the device (Zhang and Sennrich 2019,
// arXiv:1910.07467; behind the gate as in Mamba-2), forward and backward. With s = sigmoid(z),
// q = weight grad_out and m = C/G:
//   grad_v = rstd q - v rstd^3 <v, q> / m
//   grad_y = grad_v z s,  grad_z = grad_v y s (1 + z (1 - s)),  grad_weight = grad_out v rstd
// Bound by memory. A team of threads takes a group of a row in two passes: the group's sum, then
// the results. The second pass reads its operands again, from the first cache, and computes v
// again: that needs no memory of its own, whatever C is.
//
// Version ladder, bytes of global memory per element of [R,C], with the gate:
//   forward   1. v written by a kernel of its own, then normalised       24
//             2. both passes by one team: operands are cached in between  12
//             3. packs of four floats, a warp for narrow groups: a quarter of the loads, no barrier
//   backward  1. a team for 64 rows, grad_weight in registers: 20, but R / 64 blocks only, 16 for
//                a thousand rows
//             2. a team per row, then grad_weight by columns from the operands again: 32, and
//                blocks enough at any R
#include "kernels/cuda/device.h"
#include "kernels/cuda/pack.h"
#include "kernels/cuda/reduce.h"
#include "kernels/gated_rmsnorm/gated_rmsnorm_cuda.h"

namespace farstate::kernels::cuda {
namespace {

using Inputs = GatedRmsNormInputs<float>;

constexpr int kBlock = 256;
constexpr int64_t kWidestForAWarp = 512;

// v and, for the backward, dv/dy and dv/dz of one element.
struct Gated {
  float v, by_y, by_z;
};

__device__ __forceinline__ Gated gate(float y, bool gated, float z) {
  if (!gated) return {y, 1.0f, 0.0f};
  const float s = sigmoid(z);
  return {y * z * s, z * s, y * s * (1.0f + z * (1.0f - s))};
}

// The group of a row that kTeam threads work on, kPack neighbouring channels at a time.
template <int kTeam, int kPack>
struct Team {
  int64_t row, c0, width;
  int64_t first;  // the thread's first channel in the group; the next is kTeam * kPack further
  bool exists;

  __device__ __forceinline__ explicit Team(const GatedRmsNormSizes& s) {
    const int64_t index =
        int64_t{blockIdx.x} * (kBlock / kTeam) + static_cast<int>(threadIdx.x) / kTeam;
    exists = index < s.R * s.G;
    width = s.C / s.G;
    row = index / s.G;
    c0 = index % s.G * width;
    first = static_cast<int64_t>(threadIdx.x) % kTeam * kPack;
  }

  template <class Body>
  __device__ __forceinline__ void for_each_pack(const Body& body) const {
    if (!exists) return;
    for (int64_t i = first; i < width; i += kTeam * kPack) body(i);
  }

  __device__ __forceinline__ float sum(float value) const {
    if constexpr (kTeam == kWarp) {
      return warp_sum(value);
    } else {
      SharedCarver shared;
      return block_sum<kBlock>(value, shared.take<float>(kBlock / kWarp));
    }
  }
};

template <int kTeam, int kPack>
__global__ void __launch_bounds__(kBlock) norm_forward_kernel(GatedRmsNormForward<float> args) {
  const Inputs& in = args.in;
  const Team<kTeam, kPack> team(in.sizes);
  const float* const y = in.y + team.row * in.y_stride + team.c0;
  const float* const z = in.z == nullptr ? nullptr : in.z + team.row * in.z_stride + team.c0;

  float squares = 0;
  team.for_each_pack([&](int64_t i) {
    const auto y_i = load_pack<kPack>(y + i);
    const auto z_i = load_pack_or_zero<kPack>(z ? z + i : nullptr);
    for (int j = 0; j < kPack; ++j) {
      const float v = gate(y_i.of[j], z != nullptr, z_i.of[j]).v;
      squares += v * v;
    }
  });
  const float mean = team.sum(squares) / static_cast<float>(team.width);
  const float rstd = 1.0f / sqrtf(mean + static_cast<float>(in.sizes.eps));
  team.for_each_pack([&](int64_t i) {
    const auto y_i = load_pack<kPack>(y + i);
    const auto z_i = load_pack_or_zero<kPack>(z ? z + i : nullptr);
    auto out = load_pack<kPack>(in.weight + team.c0 + i);
    for (int j = 0; j < kPack; ++j) {
      out.of[j] *= gate(y_i.of[j], z != nullptr, z_i.of[j]).v * rstd;
    }
    store_pack(args.out + team.row * in.sizes.C + team.c0 + i, out);
  });
  if (args.rstd != nullptr && team.exists && team.first == 0) {
    args.rstd[team.row * in.sizes.G + team.c0 / team.width] = rstd;
  }
}

template <int kTeam, int kPack>
__global__ void __launch_bounds__(kBlock) norm_backward_kernel(GatedRmsNormBackward<float> args) {
  const Inputs& in = args.in;
  const int64_t C = in.sizes.C;
  const Team<kTeam, kPack> team(in.sizes);
  const float* const y = in.y + team.row * in.y_stride + team.c0;
  const float* const z = in.z == nullptr ? nullptr : in.z + team.row * in.z_stride + team.c0;
  const float* const grad_out = args.grad_out + team.row * args.grad_out_stride + team.c0;

  float products = 0;  // <v, q>
  team.for_each_pack([&](int64_t i) {
    const auto y_i = load_pack<kPack>(y + i), grad_i = load_pack<kPack>(grad_out + i);
    const auto z_i = load_pack_or_zero<kPack>(z ? z + i : nullptr);
    const auto weight = load_pack<kPack>(in.weight + team.c0 + i);
    for (int j = 0; j < kPack; ++j) {
      products += gate(y_i.of[j], z != nullptr, z_i.of[j]).v * grad_i.of[j] * weight.of[j];
    }
  });
  products = team.sum(products);
  const float rstd =
      team.exists ? args.rstd[team.row * in.sizes.G + team.c0 / team.width] : 0.0f;
  const float along_v = rstd * rstd * rstd * products / static_cast<float>(team.width);
  team.for_each_pack([&](int64_t i) {
    const auto y_i = load_pack<kPack>(y + i), grad_i = load_pack<kPack>(grad_out + i);
    const auto z_i = load_pack_or_zero<kPack>(z ? z + i : nullptr);
    const auto weight = load_pack<kPack>(in.weight + team.c0 + i);
    Pack<kPack> grad_y, grad_z;
    for (int j = 0; j < kPack; ++j) {
      const Gated here = gate(y_i.of[j], z != nullptr, z_i.of[j]);
      const float grad_v = grad_i.of[j] * weight.of[j] * rstd - here.v * along_v;
      grad_y.of[j] = grad_v * here.by_y;
      grad_z.of[j] = grad_v * here.by_z;
    }
    store_pack(args.grad_y + team.row * C + team.c0 + i, grad_y);
    if (z != nullptr) store_pack(args.grad_z + team.row * C + team.c0 + i, grad_z);
  });
}

// ----- grad_weight: kNormRows rows of kWarp channels a block, each warp some of the rows

constexpr int kColumnWarps = 8;

__global__ void __launch_bounds__(kColumnWarps* kWarp)
    norm_grad_weight_kernel(GatedRmsNormBackward<float> args) {
  const Inputs& in = args.in;
  const GatedRmsNormSizes& s = in.sizes;
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const int64_t across = ceil_div(s.C, kWarp), task = blockIdx.x / across;
  const int64_t c = blockIdx.x % across * kWarp + lane, group = c / (s.C / s.G);

  float sum = 0;
  if (c < s.C) {
    const int64_t end = (task + 1) * kNormRows < s.R ? (task + 1) * kNormRows : s.R;
#pragma unroll 4
    for (int64_t row = task * kNormRows + warp; row < end; row += kColumnWarps) {
      const float z = in.z == nullptr ? 0.0f : in.z[row * in.z_stride + c];
      const float v = gate(in.y[row * in.y_stride + c], in.z != nullptr, z).v;
      sum += args.grad_out[row * args.grad_out_stride + c] * v * args.rstd[row * s.G + group];
    }
  }
  SharedCarver shared;
  const SharedArray<float> sums = shared.take<float>(kColumnWarps * kWarp);
  sums[warp * kWarp + lane] = sum;
  __syncthreads();
  if (warp != 0 || c >= s.C) return;
  for (int other = 1; other < kColumnWarps; ++other) sum += sums[other * kWarp + lane];
  args.grad_weight[task * s.C + c] = sum;
}

// ----- launches

template <int kTeam, int kPack>
struct Forward {
  static void run(const GatedRmsNormForward<float>& args, Grid grid, Stream stream) {
    launch<norm_forward_kernel<kTeam, kPack>>(grid, kBlock, shared_bytes<float>(kBlock / kWarp),
                                              stream, args);
  }
};

template <int kTeam, int kPack>
struct Backward {
  static void run(const GatedRmsNormBackward<float>& args, Grid grid, Stream stream) {
    launch<norm_backward_kernel<kTeam, kPack>>(grid, kBlock, shared_bytes<float>(kBlock / kWarp),
                                               stream, args);
  }
};

template <template <int, int> class Pass, class Args>
void run_by_teams(const Args& args, bool packs, Stream stream) {
  const GatedRmsNormSizes& s = args.in.sizes;
  const int64_t groups = s.R * s.G;
  if (s.C / s.G <= kWidestForAWarp) {
    const Grid grid{ceil_div(groups, kBlock / kWarp)};
    packs ? Pass<kWarp, 4>::run(args, grid, stream) : Pass<kWarp, 1>::run(args, grid, stream);
  } else {
    const Grid grid{groups};
    packs ? Pass<kBlock, 4>::run(args, grid, stream) : Pass<kBlock, 1>::run(args, grid, stream);
  }
}

bool inputs_in_packs(const Inputs& in) {
  const int64_t width = in.sizes.C / in.sizes.G;
  return packs_of_four(in.weight, width) && packs_of_four(in.y, in.y_stride) &&
         packs_of_four(in.z, in.z == nullptr ? 0 : in.z_stride);
}

}  // namespace

void gated_rmsnorm_forward(const GatedRmsNormForward<float>& args, Stream stream) {
  const bool packs = inputs_in_packs(args.in) && packs_of_four(args.out, args.in.sizes.C);
  run_by_teams<Forward>(args, packs, stream);
}

void gated_rmsnorm_backward(const GatedRmsNormBackward<float>& args, Stream stream) {
  const GatedRmsNormSizes& s = args.in.sizes;
  const bool packs = inputs_in_packs(args.in) && packs_of_four(args.grad_y, s.C) &&
                     packs_of_four(args.grad_z, s.C) &&
                     packs_of_four(args.grad_out, args.grad_out_stride);
  run_by_teams<Backward>(args, packs, stream);
  launch<norm_grad_weight_kernel>(Grid{ceil_div(s.R, kNormRows) * ceil_div(s.C, kWarp)},
                                  kColumnWarps * kWarp,
                                  shared_bytes<float>(kColumnWarps * kWarp), stream, args);
}

}  // namespace farstate::kernels::cuda
