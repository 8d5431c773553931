// SPDX-License-Identifier: GPL-3.0-or-later
// Products of 64 x 64 tiles in shared memory by a block of 256 threads, on tensor cores (tf32 or
// bf16 inputs, mma.sync) or by ordinary multiply-adds (fp32). Only for .cu files.
//
// Each of the 8 warps owns 32 x 16 of the product, in registers, each lane of it 4 rows of 4
// columns, wherever the inputs come from. So what a kernel does with a product (mask, decay, sum of
// a row) is written once for all inputs, and element by element.
//
// What each step bought, counted (no device was at hand), for a product of 64 x 64 x 64:
//   1  rows 68 floats apart: 17 KB; of a fragment whose depth runs along the rows two lanes meet
//      in a bank, and the load takes twice as long
//   2  rows of 64 with columns permuted: 16 KB, no two lanes meet
//   3  bf16 in the order of summation that tf32's loads give: 128 instead of 256 mma, no load more
//   4  inputs rounded when they are staged, once, instead of at each of 2 or 4 warps' loads
// An fp32 product has 2 multiply-adds to a load from shared memory, so at most half of the device's
// rate; it is there for results that are to be exact.
//
// Only the four functions of the first part differ between device and emulator: two roundings and
// two instructions. That is what the tests can't prove.
#pragma once

#include <cmath>

#include "kernels/cuda/device.h"
#include "kernels/cuda/matrix_inputs.h"

#ifdef FARSTATE_CUDA_EMULATOR
#include "tests/cuda/emulated_mma.h"
#endif

namespace farstate::kernels::cuda {

// ----- the instructions

#ifdef FARSTATE_CUDA_EMULATOR

inline uint32_t bits_of(float value) { return std::bit_cast<uint32_t>(value); }
inline float float_of(uint32_t bits) { return std::bit_cast<float>(bits); }

// To the nearest, ties away from zero.
inline float round_to_tf32(float value) {
  if (!std::isfinite(value)) return value;
  return float_of((bits_of(value) + 0x1000u) & ~0x1fffu);
}

// To the nearest, ties to even.
inline float round_to_bf16(float value) {
  if (!std::isfinite(value)) return value;
  const uint32_t bits = bits_of(value);
  return float_of((bits + 0x7fffu + (bits >> 16 & 1u)) & 0xffff0000u);
}

using testing::emulator::mma_bf16;
using testing::emulator::mma_tf32;

#else

__device__ __forceinline__ uint32_t bits_of(float value) { return __float_as_uint(value); }
__device__ __forceinline__ float float_of(uint32_t bits) { return __uint_as_float(bits); }

__device__ __forceinline__ float round_to_tf32(float value) {
  uint32_t rounded;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(rounded) : "f"(value));
  return float_of(rounded);
}

__device__ __forceinline__ float round_to_bf16(float value) {
  uint16_t rounded;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(rounded) : "f"(value));
  return float_of(uint32_t{rounded} << 16);
}

// d [16,8] += a [16,8] b [8,8]
__device__ __forceinline__ void mma_tf32(float (&d)[4], const uint32_t (&a)[4],
                                         const uint32_t (&b)[2]) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// d [16,8] += a [16,16] b [16,8]
__device__ __forceinline__ void mma_bf16(float (&d)[4], const uint32_t (&a)[4],
                                         const uint32_t (&b)[2]) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

#endif

// ----- tiles

inline constexpr int kTile = 64;
inline constexpr int kTileThreads = 256;
inline constexpr int64_t kTileBytes = shared_bytes<float>(kTile * kTile);

template <MatrixInputs kInputs>
__device__ __forceinline__ float round_input(float value) {
  if constexpr (kInputs == MatrixInputs::kTf32) return round_to_tf32(value);
  if constexpr (kInputs == MatrixInputs::kBf16) return round_to_bf16(value);
  return value;
}

// [64,64] in shared memory. Columns are permuted in groups of four, differently in 8 successive
// rows, so that a fragment comes from 32 different banks whether its depth runs along the columns
// (8 rows of 4 columns) or along the rows (4 rows of 8 columns).
class Tile {
 public:
  __device__ explicit Tile(SharedCarver& shared) : at_(shared.take<float>(kTile * kTile)) {}

  __device__ __forceinline__ float get(int row, int column) const { return at_[index(row, column)]; }
  // `column` a multiple of 2 or of 4.
  __device__ __forceinline__ float2 get2(int row, int column) const {
    return load_vector<float2>(at_ + index(row, column));
  }
  __device__ __forceinline__ void set2(int row, int column, float2 values) const {
    store_vector<float2>(at_ + index(row, column), values);
  }
  __device__ __forceinline__ void set4(int row, int column, float4 values) const {
    store_vector<float4>(at_ + index(row, column), values);
  }

 private:
  static __device__ __forceinline__ int index(int row, int column) {
    return row * kTile + (column ^ ((row & 3) << 3 | (row & 4)));
  }

  SharedArray<float> at_;
};

// Up to 64 x 64 numbers in global memory.
struct Rows {
  const float* from;
  int64_t stride;  // between rows
  int rows, columns;
};

// Whether the rows are made of groups of 16 bytes.
__device__ __forceinline__ bool in_fours(const Rows& rows) {
  return reinterpret_cast<uintptr_t>(rows.from) % sizeof(float4) == 0 && rows.stride % 4 == 0 &&
         rows.columns % 4 == 0;
}

__device__ __forceinline__ float4 load_four(const Rows& rows, int row, int column) {
  if (row >= rows.rows || column >= rows.columns) return make_float4(0, 0, 0, 0);
  return load_vector<float4>(rows.from + row * rows.stride + column);
}

__device__ __forceinline__ float4 load_singly(const Rows& rows, int row, int column) {
  if (row >= rows.rows) return make_float4(0, 0, 0, 0);
  const float* const from = rows.from + row * rows.stride + column;
  const int left = rows.columns - column;
  return make_float4(left > 0 ? from[0] : 0, left > 1 ? from[1] : 0, left > 2 ? from[2] : 0,
                     left > 3 ? from[3] : 0);
}

// Calls fill(row, column, four) with four numbers of each matrix, from the same places. Where they
// come in groups of 16 bytes all of a thread's loads are under way before the first is waited for.
template <int kMatrices, class Fill>
__device__ __forceinline__ void for_each_four(const Rows (&matrices)[kMatrices], const Fill& fill) {
  constexpr int kRounds = kTile * kTile / 4 / kTileThreads, kRowsApart = kTile / kRounds;
  const int first = static_cast<int>(threadIdx.x) / (kTile / 4);
  const int column = static_cast<int>(threadIdx.x) % (kTile / 4) * 4;
  bool fours = true;
  for (const Rows& rows : matrices) fours = fours && in_fours(rows);
  if (fours) {
    float4 loaded[kRounds][kMatrices];
#pragma unroll
    for (int round = 0; round < kRounds; ++round) {
#pragma unroll
      for (int m = 0; m < kMatrices; ++m) {
        loaded[round][m] = load_four(matrices[m], first + round * kRowsApart, column);
      }
    }
#pragma unroll
    for (int round = 0; round < kRounds; ++round) {
      fill(first + round * kRowsApart, column, loaded[round]);
    }
    return;
  }
#pragma unroll 1
  for (int row = first; row < kTile; row += kRowsApart) {
    float4 loaded[kMatrices];
#pragma unroll
    for (int m = 0; m < kMatrices; ++m) loaded[m] = load_singly(matrices[m], row, column);
    fill(row, column, loaded);
  }
}

// An input of products: rounded, row i times factor(i), zero beyond what `rows` has.
template <MatrixInputs kInputs>
__device__ __forceinline__ float4 round_four(float4 four, float factor = 1) {
  return make_float4(round_input<kInputs>(four.x * factor), round_input<kInputs>(four.y * factor),
                     round_input<kInputs>(four.z * factor), round_input<kInputs>(four.w * factor));
}

template <MatrixInputs kInputs>
__device__ __forceinline__ void stage(const Tile& tile, const Rows& rows) {
  for_each_four<1>({rows}, [&](int row, int column, const float4 (&four)[1]) {
    tile.set4(row, column, round_four<kInputs>(four[0]));
  });
}

template <MatrixInputs kInputs>
__device__ __forceinline__ void stage(const Tile& tile, const Rows& rows,
                                      SharedArray<float> factors) {
  for_each_four<1>({rows}, [&](int row, int column, const float4 (&four)[1]) {
    tile.set4(row, column, round_four<kInputs>(four[0], factors[row]));
  });
}

// ----- products

// The thread's part of a 64 x 64 product: [16-row part][8-column part][as mma has it].
struct Product {
  float part[2][2][4] = {};
};

inline constexpr int kThreadRows = 4;     // that a thread has part in
inline constexpr int kRowThreadsWarps = 4;  // warps side by side

struct WarpPlace {
  int row, column;  // of the warp's 32 x 16
  int g, t;         // the lane's place in a fragment

  __device__ __forceinline__ WarpPlace() {
    const int warp = static_cast<int>(threadIdx.x) / kWarp;
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    row = warp / kRowThreadsWarps * 32;
    column = warp % kRowThreadsWarps * 16;
    g = lane / 4;
    t = lane % 4;
  }
};

// Calls use(r, row, column, pairs…) for each two neighbours of the products, a pair a float* to
// them; r in [0, kThreadRows) numbers the thread's rows.
template <class Use, class... Products>
__device__ __forceinline__ void for_each_pairs(const Use& use, Products&... products) {
  const WarpPlace place;
#pragma unroll
  for (int i = 0; i < 2; ++i) {
#pragma unroll
    for (int j = 0; j < 2; ++j) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        use(2 * i + half, place.row + 16 * i + 8 * half + place.g,
            place.column + 8 * j + 2 * place.t, products.part[i][j] + 2 * half...);
      }
    }
  }
}

// The same for one product, with use(r, row, column, a, b).
template <class Use>
__device__ __forceinline__ void for_each_pair(Product& product, const Use& use) {
  for_each_pairs([&](int r, int row, int column, float* pair) {
    use(r, row, column, pair[0], pair[1]);
  }, product);
}

// The index that a product sums over runs along the rows or the columns of an operand's tile.
enum class Depth { kRows, kColumns };

template <Depth kDepth>
__device__ __forceinline__ float operand(const Tile& tile, int outer, int k) {
  return kDepth == Depth::kColumns ? tile.get(outer, k) : tile.get(k, outer);
}

// Fragments of depth 8: as mma.m16n8k8 wants them.
struct Fragments {
  float a[2][4], b[2][2];
};

template <Depth kA, Depth kB>
__device__ __forceinline__ Fragments load_fragments(const Tile& a, const Tile& b,
                                                    const WarpPlace& place, int k) {
  Fragments f;
#pragma unroll
  for (int part = 0; part < 2; ++part) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      f.a[part][i] = operand<kA>(a, place.row + 16 * part + i % 2 * 8 + place.g,
                                 k + place.t + i / 2 * 4);
    }
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      f.b[part][i] = operand<kB>(b, place.column + 8 * part + place.g, k + place.t + i * 4);
    }
  }
  return f;
}

// Two rounded numbers in one register.
__device__ __forceinline__ uint32_t pack_bf16(float low, float high) {
  return bits_of(low) >> 16 | (bits_of(high) & 0xffff0000u);
}

template <MatrixInputs kInputs, Depth kA, Depth kB>
struct Multiply;

template <Depth kA, Depth kB>
struct Multiply<MatrixInputs::kTf32, kA, kB> {
  static constexpr int kStep = 8, kUnroll = 1;
  static __device__ __forceinline__ void step(Product& product, const Tile& a, const Tile& b,
                                              const WarpPlace& place, int k) {
    const Fragments f = load_fragments<kA, kB>(a, b, place, k);
    uint32_t bits_a[2][4], bits_b[2][2];
#pragma unroll
    for (int part = 0; part < 2; ++part) {
#pragma unroll
      for (int i = 0; i < 4; ++i) bits_a[part][i] = bits_of(f.a[part][i]);
#pragma unroll
      for (int i = 0; i < 2; ++i) bits_b[part][i] = bits_of(f.b[part][i]);
    }
#pragma unroll
    for (int i = 0; i < 2; ++i) {
#pragma unroll
      for (int j = 0; j < 2; ++j) mma_tf32(product.part[i][j], bits_a[i], bits_b[j]);
    }
  }
};

// The order of the 16 summands is free as long as both operands have the same. Where mma wants the
// neighbours 2t and 2t+1 (and those 8 further) it gets t and t+4, so that fragments are loaded as
// for tf32, without a conflict of banks.
template <Depth kA, Depth kB>
struct Multiply<MatrixInputs::kBf16, kA, kB> {
  static constexpr int kStep = 16, kUnroll = 1;
  static __device__ __forceinline__ void step(Product& product, const Tile& a, const Tile& b,
                                              const WarpPlace& place, int k) {
    uint32_t bits_a[2][4], bits_b[2][2];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const Fragments f = load_fragments<kA, kB>(a, b, place, k + 8 * half);
#pragma unroll
      for (int part = 0; part < 2; ++part) {
        bits_a[part][2 * half] = pack_bf16(f.a[part][0], f.a[part][2]);
        bits_a[part][2 * half + 1] = pack_bf16(f.a[part][1], f.a[part][3]);
        bits_b[part][half] = pack_bf16(f.b[part][0], f.b[part][1]);
      }
    }
#pragma unroll
    for (int i = 0; i < 2; ++i) {
#pragma unroll
      for (int j = 0; j < 2; ++j) mma_bf16(product.part[i][j], bits_a[i], bits_b[j]);
    }
  }
};

template <Depth kA, Depth kB>
struct Multiply<MatrixInputs::kFp32, kA, kB> {
  static constexpr int kStep = 1, kUnroll = 2;
  static __device__ __forceinline__ void step(Product& product, const Tile& a, const Tile& b,
                                              const WarpPlace& place, int k) {
    float rows[4], columns[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      rows[i] = operand<kA>(a, place.row + 8 * i + place.g, k);
      columns[i] = operand<kB>(b, place.column + 8 * (i / 2) + 2 * place.t + i % 2, k);
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        product.part[i / 2][j / 2][i % 2 * 2 + j % 2] += rows[i] * columns[j];
      }
    }
  }
};

// product [row,column] += sum over k in [begin, end) of a [row,k] b [k,column]; begin and end are
// the same in all lanes of a warp and multiples of 16. Between staging an operand and here lies a
// barrier.
template <MatrixInputs kInputs, Depth kA, Depth kB>
__device__ __forceinline__ void multiply(Product& product, const Tile& a, const Tile& b, int begin,
                                         int end) {
  const WarpPlace place;
  using Inputs = Multiply<kInputs, kA, kB>;
#pragma unroll(Inputs::kUnroll)
  for (int k = begin; k < end; k += Inputs::kStep) Inputs::step(product, a, b, place, k);
}

// How far a product has to sum over `count` numbers, the rest of the tile being zero.
__device__ __forceinline__ int depth_of(int count) { return (count + 15) / 16 * 16; }

// ----- sums of a product's rows

// Over the columns of the tile: [4,64], a row of numbers for each of the warps side by side. Each
// number is one thread's, so that only reading a sum takes a barrier.
inline constexpr int kRowSums = kRowThreadsWarps * kTile;

__device__ __forceinline__ void clear_row_sums(SharedArray<float> to) {
  const WarpPlace place;
  if (place.t != 0) return;
#pragma unroll
  for (int r = 0; r < kThreadRows; ++r) {
    to[place.column / 16 * kTile + place.row + 8 * r + place.g] = 0;
  }
}

__device__ __forceinline__ void add_row_sums(const float (&sums)[kThreadRows],
                                             SharedArray<float> to) {
  const WarpPlace place;
#pragma unroll
  for (int r = 0; r < kThreadRows; ++r) {
    float sum = sums[r];
    sum += __shfl_xor_sync(kFullMask, sum, 1);
    sum += __shfl_xor_sync(kFullMask, sum, 2);
    if (place.t == 0) {
      to[place.column / 16 * kTile + place.row + 8 * r + place.g] += sum;
    }
  }
}

__device__ __forceinline__ float row_sum(SharedArray<float> from, int row) {
  return (from[row] + from[kTile + row]) + (from[2 * kTile + row] + from[3 * kTile + row]);
}

}  // namespace farstate::kernels::cuda
