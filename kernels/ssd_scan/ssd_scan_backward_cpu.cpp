// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks in reverse order, the states of a block recomputed from the kept one. With g_t the
// gradient with respect to h_t, all that reaches it from later positions included,
//   g_t = exp(dt_{t+1} A) g_{t+1} + grad_y_t (outer) C_t
//   grad_C_t = grad_y_t . h_t           grad_B_t = dt_t x_t . g_t
//   grad_x_t = dt_t g_t B_t + D grad_y_t
//   grad_dt_t = x_t . (g_t B_t) + A <exp(dt_t A) g_t, h_{t-1}>
//   grad_A = sum over t of dt_t <exp(dt_t A) g_t, h_{t-1}>
// The product with h_{t-1} itself avoids the cancellation of <g_t, h_t> - dt_t x_t . (g_t B_t).
// Here a vector holds neighbouring n: of the sums over P or N only g_t B_t then crosses lanes,
// and they are added once per block.
//
// 8 multiply-adds per element of the state where the forward has 3. What each step bought, in
// times of the forward pass, measured as in ssd_scan_forward_cpu.cpp:
//   1  tiles in registers, blocks of 64 positions                      4.6
//   2  rows an odd number of cache lines apart, broadcasts that are
//      one load, lanes of g_t B_t added by transposition                3.9
//   3  blocks of 32: a tile's rows and history fit the first cache      3.5
#include "kernels/ssd_scan/block.h"

namespace farstate::kernels::FARSTATE_ISA {
namespace {

template <class Real>
struct BackwardScratch {
  static constexpr int64_t Q = kSsdBlock;
  static constexpr int64_t kLane = kLanes<Real>;
  static constexpr int kRows = kRegisters / 8;  // p of a tile, with two vectors of n each
  int64_t P, N, PV;                             // lengths of rows
  Real *dt, *decay, *slope;                     // [Q]
  Real *x, *u, *grad_y;                         // [Q,P]  u = dt x
  Real *B, *C;                                  // [Q,N]
  Real *grad_B, *grad_C;                        // [Q,N]
  Real* grad_u;      // [Q,PV]  g_t B_t, a vector per p whose lanes are still to be added
  Real* grad_decay;  // [Q,kLane]  <exp(dt_t A) g_t, h_{t-1}>, likewise
  Real *h, *g;       // [P,N]
  Real* history;     // [Q,tile]  h_{t-1} of one tile
  int64_t size;

  BackwardScratch(const SsdScanSizes& s, Real* base)
      : P(odd_lines<Real>(s.P)), N(odd_lines<Real>(s.N)), PV(odd_lines<Real>(P * kLane)) {
    Carver<Real> carve{base};
    dt = carve.take(Q);
    decay = carve.take(Q);
    slope = carve.take(Q);
    x = carve.take(Q * P);
    u = carve.take(Q * P);
    grad_y = carve.take(Q * P);
    B = carve.take(Q * N);
    C = carve.take(Q * N);
    grad_B = carve.take(Q * N);
    grad_C = carve.take(Q * N);
    grad_u = carve.take(Q * PV);
    grad_decay = carve.take(Q * kLane);
    h = carve.take(P * N);
    g = carve.take(P * N);
    history = carve.take(Q * kRows * 2 * kLane);
    size = carve.used;
  }
};

// The tiles take the scratch by value: a compiler that sees a reference has to load its members
// again after every store.
//
// h_{t-1} of the tile of NP values of p from p0 on and NV vectors of n from n0 on, for every
// position of the block, and grad_C from the states.
template <class Real, int NP, int NV>
FARSTATE_INLINE void recompute_tile(const BackwardScratch<Real> w, int64_t p0, int64_t n0,
                                    int64_t count) {
  constexpr int64_t lanes = kLanes<Real>;
  Vec<Real> h[NP][NV];
  for (int p = 0; p < NP; ++p) {
    for (int v = 0; v < NV; ++v) h[p][v] = load(w.h + (p0 + p) * w.N + n0 + v * lanes);
  }
  for (int64_t t = 0; t < count; ++t) {
    Real* const history = w.history + t * NP * NV * lanes;
    const int64_t row = t * w.N + n0;
    const Vec<Real> decay = broadcast(w.decay[t]);
    Vec<Real> u[NP], grad_y[NP];
    for (int p = 0; p < NP; ++p) {
      u[p] = broadcast(w.u[t * w.P + p0 + p]);
      grad_y[p] = broadcast(w.grad_y[t * w.P + p0 + p]);
    }
    for (int v = 0; v < NV; ++v) {
      const Vec<Real> B = load(w.B + row + v * lanes);
      Vec<Real> grad_C = load(w.grad_C + row + v * lanes);
      for (int p = 0; p < NP; ++p) {
        store<Real>(history + (p * NV + v) * lanes, h[p][v]);
        h[p][v] = decay * h[p][v] + u[p] * B;
        grad_C += grad_y[p] * h[p][v];
      }
      store<Real>(w.grad_C + row + v * lanes, grad_C);
    }
  }
}

// Back through the block with the tile's g in registers: grad_B, grad_u and grad_decay.
template <class Real, int NP, int NV>
FARSTATE_INLINE void reverse_tile(const BackwardScratch<Real> w, int64_t p0, int64_t n0,
                                  int64_t count) {
  constexpr int64_t lanes = kLanes<Real>;
  Vec<Real> g[NP][NV];
  for (int p = 0; p < NP; ++p) {
    for (int v = 0; v < NV; ++v) g[p][v] = load(w.g + (p0 + p) * w.N + n0 + v * lanes);
  }
  for (int64_t t = count - 1; t >= 0; --t) {
    const Real* const history = w.history + t * NP * NV * lanes;
    const int64_t row = t * w.N + n0;
    const Vec<Real> decay = broadcast(w.decay[t]);
    Vec<Real> grad_decay{}, u[NP], grad_y[NP], grad_u[NP];
    for (int p = 0; p < NP; ++p) {
      u[p] = broadcast(w.u[t * w.P + p0 + p]);
      grad_y[p] = broadcast(w.grad_y[t * w.P + p0 + p]);
      grad_u[p] = load(w.grad_u + t * w.PV + (p0 + p) * lanes);
    }
    for (int v = 0; v < NV; ++v) {
      const Vec<Real> B = load(w.B + row + v * lanes);
      const Vec<Real> C = load(w.C + row + v * lanes);
      Vec<Real> grad_B = load(w.grad_B + row + v * lanes);
      for (int p = 0; p < NP; ++p) {
        g[p][v] += grad_y[p] * C;
        grad_u[p] += g[p][v] * B;
        grad_B += u[p] * g[p][v];
        g[p][v] *= decay;
        grad_decay += g[p][v] * load(history + (p * NV + v) * lanes);
      }
      store<Real>(w.grad_B + row + v * lanes, grad_B);
    }
    for (int p = 0; p < NP; ++p) {
      store<Real>(w.grad_u + t * w.PV + (p0 + p) * lanes, grad_u[p]);
    }
    store<Real>(w.grad_decay + t * lanes, load(w.grad_decay + t * lanes) + grad_decay);
  }
  for (int p = 0; p < NP; ++p) {
    for (int v = 0; v < NV; ++v) store<Real>(w.g + (p0 + p) * w.N + n0 + v * lanes, g[p][v]);
  }
}

template <class Real, int NP, int NV>
FARSTATE_INLINE void backward_tile(const BackwardScratch<Real>& w, int64_t p0, int64_t n0,
                                   int64_t count) {
  recompute_tile<Real, NP, NV>(w, p0, n0, count);
  reverse_tile<Real, NP, NV>(w, p0, n0, count);
}

template <class Real, int NV>
FARSTATE_INLINE void backward_columns(const BackwardScratch<Real>& w, int64_t P, int64_t n0,
                                      int64_t count) {
  constexpr int kRows = BackwardScratch<Real>::kRows;
  int64_t p = 0;
  for (; p + kRows <= P; p += kRows) backward_tile<Real, kRows, NV>(w, p, n0, count);
  for (; p < P; ++p) backward_tile<Real, 1, NV>(w, p, n0, count);
}

// Sums over p of one position: x_t . (g_t B_t) and x_t . grad_y_t.
template <class Real>
struct XProducts {
  Real grad_u, grad_y;
};

// grad_x_t [P] from what the tiles left.
template <class Real>
FARSTATE_INLINE XProducts<Real> finish_x(const BackwardScratch<Real> w, int64_t t, int64_t P,
                                         Real D, Real* grad_x) {
  constexpr int64_t lanes = kLanes<Real>;
  Vec<Real> x_grad_u{}, x_grad_y{};
  for_each_vector<Real>(P, [&](int64_t p, int64_t used) {
    Vec<Real> rows[lanes];
    for (int i = 0; i < lanes; ++i) rows[i] = load(w.grad_u + t * w.PV + (p + i) * lanes);
    const Vec<Real> grad_u = sum_each<Real>(rows);
    const Vec<Real> x = load(w.x + t * w.P + p), grad_y = load(w.grad_y + t * w.P + p);
    store_first<Real>(grad_x + p, w.dt[t] * grad_u + D * grad_y, used);
    x_grad_u += x * grad_u;
    x_grad_y += x * grad_y;
  });
  return {sum_lanes<Real>(x_grad_u), sum_lanes<Real>(x_grad_y)};
}

// Sums over all positions of one head.
struct HeadSums {
  double A = 0, D = 0, dt_bias = 0;
};

// `count` positions of a head from t0 on. w.g is the gradient of the state after them when it
// begins, and of the state before them when it is done.
template <class Real>
void backward_block(const SsdScanBackward<Real>& args, int64_t b, int64_t head, int64_t t0,
                    int64_t count, BackwardScratch<Real>& w, HeadSums& sums) {
  constexpr int64_t lanes = kLanes<Real>;
  const SsdScanInputs<Real>& in = args.in;
  const SsdScanSizes& s = in.sizes;
  const int64_t row = b * in.xBC_stride_b + t0 * in.xBC_stride_t;
  const int64_t grad_y_row = b * args.grad_y_stride_b + t0 * args.grad_y_stride_t;
  const int64_t group_offset = head / (s.H / s.G) * s.N;
  const int64_t blocks = (s.T + kSsdBlock - 1) / kSsdBlock;
  const int64_t block = (b * s.H + head) * blocks + t0 / kSsdBlock;

  prepare_steps<Real>(in, b, head, t0, count, w.dt, w.decay, w.slope);
  const Real* const x = in.x + row + head * s.P;
  pack_rows(x, in.xBC_stride_t, count, s.P, w.x, w.P);
  pack_rows<Real>(x, in.xBC_stride_t, count, s.P, w.u, w.P, 1, w.dt);
  pack_rows(args.grad_y + grad_y_row + head * s.P, args.grad_y_stride_t, count, s.P, w.grad_y, w.P);
  pack_rows(in.B + row + group_offset, in.xBC_stride_t, count, s.N, w.B, w.N);
  pack_rows(in.C + row + group_offset, in.xBC_stride_t, count, s.N, w.C, w.N);
  pack_rows(args.block_states + block * s.P * s.N, s.N, s.P, s.N, w.h, w.N);
  set_zero(w.grad_B, count * w.N);
  set_zero(w.grad_C, count * w.N);
  set_zero(w.grad_u, count * w.PV);
  set_zero(w.grad_decay, count * lanes);

  int64_t n = 0;
  for (; n + lanes < s.N; n += 2 * lanes) backward_columns<Real, 2>(w, s.P, n, count);
  if (n < s.N) backward_columns<Real, 1>(w, s.P, n, count);

  const Real A = in.A[head], D = in.D == nullptr ? Real(0) : in.D[head];
  for (int64_t t = 0; t < count; ++t) {
    const int64_t position = b * args.grad_xBC_stride_b + (t0 + t) * args.grad_xBC_stride_t;
    const XProducts<Real> x_products = finish_x(w, t, s.P, D, args.grad_x + position + head * s.P);
    const Real grad_decay = sum_lanes<Real>(load(w.grad_decay + t * lanes));
    const Real grad_dt_raw = (x_products.grad_u + A * grad_decay) * w.slope[t];
    args.grad_dt_raw[(b * s.T + t0 + t) * s.H + head] = grad_dt_raw;
    sums.A += static_cast<double>(w.dt[t]) * grad_decay;
    sums.D += x_products.grad_y;
    sums.dt_bias += grad_dt_raw;
  }
}

// The block's gradients of B or C added to what the slice's earlier heads left.
template <class Real>
void add_to_slice(const Real* block, int64_t block_stride, int64_t count, int64_t N, bool first,
                  Real* to, int64_t to_stride) {
  for (int64_t t = 0; t < count; ++t) {
    const Real* const from = block + t * block_stride;
    Real* const target = to + t * to_stride;
    for (int64_t n = 0; n < N; ++n) target[n] = first ? from[n] : target[n] + from[n];
  }
}

// One head of a slice, its blocks from last to first.
template <class Real>
void backward_head(const SsdScanBackward<Real>& args, int64_t b, int64_t head, int64_t slice,
                   bool first_of_slice, BackwardScratch<Real>& w) {
  const SsdScanSizes& s = args.in.sizes;
  const int64_t state = (b * s.H + head) * s.P * s.N;
  const int64_t slice_stride = ssd_scan_slices(s) * s.N;
  set_zero(w.g, s.P * w.N);
  if (args.grad_h_last != nullptr) pack_rows(args.grad_h_last + state, s.N, s.P, s.N, w.g, w.N);
  HeadSums sums;
  for (int64_t t0 = (s.T - 1) / kSsdBlock * kSsdBlock; t0 >= 0; t0 -= kSsdBlock) {
    const int64_t count = smaller(kSsdBlock, s.T - t0);
    backward_block(args, b, head, t0, count, w, sums);
    const int64_t to = (b * s.T + t0) * slice_stride + slice * s.N;
    add_to_slice(w.grad_B, w.N, count, s.N, first_of_slice, args.slice_grad_B + to, slice_stride);
    add_to_slice(w.grad_C, w.N, count, s.N, first_of_slice, args.slice_grad_C + to, slice_stride);
  }
  unpack_rows(w.g, w.N, s.P, s.N, args.grad_h_first + state, s.N);
  args.grad_A[b * s.H + head] = sums.A;
  args.grad_D[b * s.H + head] = sums.D;
  args.grad_dt_bias[b * s.H + head] = sums.dt_bias;
}

}  // namespace

template <class Real>
int64_t ssd_scan_backward_scratch(const SsdScanSizes& sizes) {
  return BackwardScratch<Real>(sizes, nullptr).size;
}

template <class Real>
void ssd_scan_backward(const SsdScanBackward<Real>& args, int64_t begin, int64_t end,
                       Real* scratch) {
  const SsdScanSizes& s = args.in.sizes;
  const int64_t slices = ssd_scan_slices(s), slices_per_group = slices / s.G;
  const int64_t heads_per_group = s.H / s.G;
  BackwardScratch<Real> w(s, scratch);
  for (int64_t task = begin; task < end; ++task) {
    const int64_t b = task / slices, slice = task % slices;
    const int64_t group_first = slice / slices_per_group * heads_per_group;
    const int64_t first = group_first + slice % slices_per_group * kSsdHeadsPerSlice;
    const int64_t last = smaller(first + kSsdHeadsPerSlice, group_first + heads_per_group);
    for (int64_t head = first; head < last; ++head) {
      backward_head(args, b, head, slice, head == first, w);
    }
  }
}

template int64_t ssd_scan_backward_scratch<float>(const SsdScanSizes&);
template int64_t ssd_scan_backward_scratch<double>(const SsdScanSizes&);
template void ssd_scan_backward(const SsdScanBackward<float>&, int64_t, int64_t, float*);
template void ssd_scan_backward(const SsdScanBackward<double>&, int64_t, int64_t, double*);

}  // namespace farstate::kernels::FARSTATE_ISA
