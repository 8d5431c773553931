// SPDX-License-Identifier: GPL-3.0-or-later
// Per head, the state lies transposed, [N,P], so that a vector holds neighbouring p. A tile of a
// few n and p stays in registers while the time loop runs over a block of positions; y_t[p], a
// sum over n, is then a vertical sum. n is always summed in ascending order and every element of
// the state sees the same operations wherever a sequence is cut, so a sequence in pieces equals
// the whole to the bit, and one position is a scan with T = 1.
//
// What each step bought (float, P 64, N 128, T 128, one core with AVX2 and two multiply-adds per
// cycle at about 3.2 GHz: of 102 GFLOP/s the recurrence, 5 operations in 3 instructions, can use
// 5/6). GFLOP/s of 5NP per position, and the time of a single position:
//   1  tiles in registers, plain loops around them            66    11 us
//   2  rows an odd number of cache lines apart, broadcasts
//      that are one load, transposition in registers          71    4.7 us
//   3  statistics in vectors: at every 16th position they cost 32 % instead of 70 %
#include "kernels/ssd_scan/block.h"
#include "kernels/state_stats/moments.h"

namespace farstate::kernels::FARSTATE_ISA {
namespace {

template <class Real>
struct ForwardScratch {
  static constexpr int kColumns = kRegisters / 4;  // n of a tile, with two vectors of p each:
                                                   // half of the registers hold state
  int64_t P, N;                                    // lengths of rows
  Real *dt, *decay;                                // [kSsdBlock]
  Real *u, *y;                                     // [kSsdBlock,P]  u = dt x
  Real *B, *C;                                     // [kSsdBlock,N]
  Real* h;                                         // [N,P]
  int64_t size;

  ForwardScratch(const SsdScanSizes& s, Real* base)
      : P(odd_lines<Real>(s.P)), N(odd_lines<Real>(s.N)) {
    Carver<Real> carve{base};
    dt = carve.take(kSsdBlock);
    decay = carve.take(kSsdBlock);
    u = carve.take(kSsdBlock * P);
    y = carve.take(kSsdBlock * P);
    B = carve.take(kSsdBlock * N);
    C = carve.take(kSsdBlock * N);
    h = carve.take(s.N * P);
    size = carve.used;
  }
};

// Positions [begin, end) of the block for NP vectors of p from p0 on and NN values of n from n0.
// By value: a compiler that sees a reference has to load its members again after every store.
template <class Real, int NP, int NN>
FARSTATE_INLINE void scan_tile(const ForwardScratch<Real> w, int64_t p0, int64_t n0, int64_t begin,
                               int64_t end) {
  constexpr int64_t lanes = kLanes<Real>;
  Vec<Real> h[NN][NP];
  for (int n = 0; n < NN; ++n) {
    for (int p = 0; p < NP; ++p) h[n][p] = load(w.h + (n0 + n) * w.P + p0 + p * lanes);
  }
  for (int64_t t = begin; t < end; ++t) {
    const Real* const B = w.B + t * w.N + n0;
    const Real* const C = w.C + t * w.N + n0;
    const Vec<Real> decay = broadcast(w.decay[t]);
    Vec<Real> u[NP], y[NP];
    for (int p = 0; p < NP; ++p) {
      u[p] = load(w.u + t * w.P + p0 + p * lanes);
      y[p] = load(w.y + t * w.P + p0 + p * lanes);
    }
#pragma GCC unroll 8
    for (int n = 0; n < NN; ++n) {
      for (int p = 0; p < NP; ++p) {
        h[n][p] = decay * h[n][p] + u[p] * B[n];
        y[p] += h[n][p] * C[n];
      }
    }
    for (int p = 0; p < NP; ++p) store<Real>(w.y + t * w.P + p0 + p * lanes, y[p]);
  }
  for (int n = 0; n < NN; ++n) {
    for (int p = 0; p < NP; ++p) store<Real>(w.h + (n0 + n) * w.P + p0 + p * lanes, h[n][p]);
  }
}

template <class Real, int NN>
FARSTATE_INLINE void scan_columns(const ForwardScratch<Real>& w, int64_t P, int64_t n0,
                                  int64_t begin, int64_t end) {
  constexpr int64_t lanes = kLanes<Real>;
  int64_t p = 0;
  for (; p + lanes < P; p += 2 * lanes) scan_tile<Real, 2, NN>(w, p, n0, begin, end);
  if (p < P) scan_tile<Real, 1, NN>(w, p, n0, begin, end);
}

template <class Real>
void scan_segment(const ForwardScratch<Real>& w, const SsdScanSizes& s, int64_t begin,
                  int64_t end) {
  constexpr int kColumns = ForwardScratch<Real>::kColumns;
  int64_t n = 0;
  for (; n + kColumns <= s.N; n += kColumns) {
    scan_columns<Real, kColumns>(w, s.P, n, begin, end);
  }
  for (; n < s.N; ++n) scan_columns<Real, 1>(w, s.P, n, begin, end);
}

template <class Real>
void scan_head(const SsdScanForward<Real>& args, int64_t b, int64_t head, Real* scratch) {
  const SsdScanInputs<Real>& in = args.in;
  const SsdScanSizes& s = in.sizes;
  const int64_t task = b * s.H + head, state_size = s.P * s.N;
  const int64_t blocks = (s.T + kSsdBlock - 1) / kSsdBlock;
  const int64_t group_offset = head / (s.H / s.G) * s.N;
  const Real D = in.D == nullptr ? Real(0) : in.D[head];
  ForwardScratch<Real> w(s, scratch);
  set_zero(w.h, s.N * w.P);
  if (args.h_first != nullptr) {
    transpose_matrix(args.h_first + task * state_size, s.P, s.N, s.N, w.h, w.P);
  }

  int64_t k = 0;
  for (int64_t t0 = 0; t0 < s.T; t0 += kSsdBlock) {
    if (args.block_states != nullptr) {
      transpose_matrix(w.h, s.N, s.P, w.P,
                       args.block_states + (task * blocks + t0 / kSsdBlock) * state_size, s.N);
    }
    const int64_t count = smaller(kSsdBlock, s.T - t0);
    const int64_t row = b * in.xBC_stride_b + t0 * in.xBC_stride_t;
    prepare_steps<Real>(in, b, head, t0, count, w.dt, w.decay, nullptr);
    const Real* const x = in.x + row + head * s.P;
    pack_rows<Real>(x, in.xBC_stride_t, count, s.P, w.u, w.P, 1, w.dt);
    pack_rows(x, in.xBC_stride_t, count, s.P, w.y, w.P, D);
    pack_rows(in.B + row + group_offset, in.xBC_stride_t, count, s.N, w.B, w.N);
    pack_rows(in.C + row + group_offset, in.xBC_stride_t, count, s.N, w.C, w.N);

    for (int64_t begin = 0; begin < count;) {
      const bool measured = k < args.K && args.stat_positions[k] < t0 + count;
      const int64_t end = measured ? args.stat_positions[k] - t0 + 1 : count;
      scan_segment(w, s, begin, end);
      if (measured) {
        Moments<Real> moments;
        for (int64_t n = 0; n < s.N; ++n) moments.add(w.h + n * w.P, s.P);
        moments.store(args.stats + ((b * args.K + k) * s.H + head) * 4);
        ++k;
      }
      begin = end;
    }
    unpack_rows(w.y, w.P, count, s.P, args.y + ((b * s.T + t0) * s.H + head) * s.P, s.H * s.P);
  }
  transpose_matrix(w.h, s.N, s.P, w.P, args.h_last + task * state_size, s.N);
}

}  // namespace

template <class Real>
int64_t ssd_scan_forward_scratch(const SsdScanSizes& sizes) {
  return ForwardScratch<Real>(sizes, nullptr).size;
}

template <class Real>
void ssd_scan_forward(const SsdScanForward<Real>& args, int64_t begin, int64_t end, Real* scratch) {
  for (int64_t task = begin; task < end; ++task) {
    scan_head(args, task / args.in.sizes.H, task % args.in.sizes.H, scratch);
  }
}

template int64_t ssd_scan_forward_scratch<float>(const SsdScanSizes&);
template int64_t ssd_scan_forward_scratch<double>(const SsdScanSizes&);
template void ssd_scan_forward(const SsdScanForward<float>&, int64_t, int64_t, float*);
template void ssd_scan_forward(const SsdScanForward<double>&, int64_t, int64_t, double*);

}  // namespace farstate::kernels::FARSTATE_ISA
