// SPDX-License-Identifier: GPL-3.0-or-later
// Forward: per head, the state lies transposed, [N,P], so that a vector holds neighbouring p. A
// tile of a few n and p stays in registers while the time loop runs over a block of positions;
// y_t[p] = sum over n is then a vertical sum. n is always summed in ascending order and every
// element of the state sees the same operations wherever a sequence is cut, so a sequence in
// pieces equals the whole to the bit.
//
// Backward: blocks in reverse order, the states of a block recomputed from the kept one. With
// g_t the gradient with respect to h_t, all that reaches it from later positions included,
//   g_t = exp(dt_{t+1} A) g_{t+1} + grad_y_t (outer) C_t
//   grad_C_t = grad_y_t . h_t           grad_B_t = dt_t x_t . g_t
//   grad_x_t = dt_t g_t B_t + D grad_y_t
//   grad_dt_t = x_t . (g_t B_t) + A <exp(dt_t A) g_t, h_{t-1}>
//   grad_A = sum over t of dt_t <exp(dt_t A) g_t, h_{t-1}>
// The product with h_{t-1} itself avoids the cancellation of <g_t, h_t> - dt_t x_t . (g_t B_t).
// Here a vector holds neighbouring n: of the three sums over P or N per position only g_t B_t
// then crosses lanes.
#include "kernels/simd/lanes.h"
#include "kernels/simd/math.h"
#include "kernels/ssd_scan/ssd_scan.h"
#include "kernels/state_stats/moments.h"

namespace farstate::kernels::FARSTATE_ISA {
namespace {

// dt_t and exp(dt_t A) of `count` positions from t0 on, and where `slope` is not null the
// derivative of dt_t by dt_raw_t: zero where dt is clamped. Arrays have room for whole vectors.
template <class Real>
void prepare_steps(const SsdScanInputs<Real>& in, int64_t b, int64_t h, int64_t t0, int64_t count,
                   Real* dt, Real* decay, Real* slope) {
  constexpr int64_t lanes = kLanes<Real>;
  const Real bias = in.dt_bias == nullptr ? Real(0) : in.dt_bias[h];
  const Real* raw = in.dt_raw + b * in.dt_stride_b + t0 * in.dt_stride_t + h;
  const int64_t whole = round_up(count, lanes);
  for (int64_t t = 0; t < whole; ++t) dt[t] = t < count ? raw[t * in.dt_stride_t] + bias : Real(0);
  const Vec<Real> dt_min = broadcast(static_cast<Real>(in.sizes.dt_min));
  const Vec<Real> dt_max = broadcast(static_cast<Real>(in.sizes.dt_max));
  for (int64_t t = 0; t < whole; t += lanes) {
    const Vec<Real> v = load(dt + t);
    const Vec<Real> free = softplus<Real>(v);
    Vec<Real> step = free < dt_min ? dt_min : free;
    step = step > dt_max ? dt_max : step;
    store<Real>(dt + t, step);
    store<Real>(decay + t, exp<Real>(step * in.A[h]));
    if (slope != nullptr) {
      const Vec<Real> smooth = v > Real(20) ? broadcast(Real(1)) : sigmoid<Real>(v);
      store<Real>(slope + t, free < dt_min || free > dt_max ? Vec<Real>{} : smooth);
    }
  }
}

// Rows of `width` at from + row * stride, packed to rows of `padded`, the rest zero, times
// factor[row].
template <class Real>
FARSTATE_INLINE void pack_rows(const Real* from, int64_t stride, const Real* factor, int64_t rows,
                               int64_t width, int64_t padded, Real* to) {
  for (int64_t row = 0; row < rows; ++row) {
    const Real* source = from + row * stride;
    Real* target = to + row * padded;
    const Real scale = factor == nullptr ? Real(1) : factor[row];
    for (int64_t i = 0; i < width; ++i) target[i] = source[i] * scale;
    for (int64_t i = width; i < padded; ++i) target[i] = 0;
  }
}

template <class Real>
struct ForwardScratch {
  static constexpr int64_t kBlock = 32;  // divides kSsdBlock
  int64_t P;                             // p padded to whole vectors
  Real *dt, *decay;                      // [kBlock]
  Real *u, *y;                           // [kBlock,P]  u = dt x
  Real *B, *C;                           // [kBlock,N]
  Real* h;                               // [N,P]
  int64_t size;

  ForwardScratch(const SsdScanSizes& s, Real* base) : P(round_up(s.P, kLanes<Real>)) {
    Carver<Real> carve{base};
    dt = carve.take(kBlock);
    decay = carve.take(kBlock);
    u = carve.take(kBlock * P);
    y = carve.take(kBlock * P);
    B = carve.take(kBlock * s.N);
    C = carve.take(kBlock * s.N);
    h = carve.take(s.N * P);
    size = carve.used;
  }
};

template <class Real>
void load_state(const Real* from, int64_t P, int64_t N, ForwardScratch<Real>& w) {
  for (int64_t i = 0; i < N * w.P; ++i) w.h[i] = 0;
  if (from == nullptr) return;
  for (int64_t p = 0; p < P; ++p) {
    for (int64_t n = 0; n < N; ++n) w.h[n * w.P + p] = from[p * N + n];
  }
}

template <class Real>
void store_state(const ForwardScratch<Real>& w, int64_t P, int64_t N, Real* to) {
  for (int64_t p = 0; p < P; ++p) {
    for (int64_t n = 0; n < N; ++n) to[p * N + n] = w.h[n * w.P + p];
  }
}

// Positions [begin, end) of the block for NP vectors of p from p0 on and NN values of n from n0.
template <class Real, int NP, int NN>
FARSTATE_INLINE void scan_tile(const ForwardScratch<Real>& w, int64_t N, int64_t p0, int64_t n0,
                               int64_t begin, int64_t end) {
  constexpr int64_t lanes = kLanes<Real>;
  Vec<Real> h[NN][NP];
  for (int n = 0; n < NN; ++n) {
    for (int p = 0; p < NP; ++p) h[n][p] = load(w.h + (n0 + n) * w.P + p0 + p * lanes);
  }
  for (int64_t t = begin; t < end; ++t) {
    const Real* B = w.B + t * N + n0;
    const Real* C = w.C + t * N + n0;
    const Vec<Real> decay = broadcast(w.decay[t]);
    Vec<Real> u[NP], y[NP];
    for (int p = 0; p < NP; ++p) {
      u[p] = load(w.u + t * w.P + p0 + p * lanes);
      y[p] = load(w.y + t * w.P + p0 + p * lanes);
    }
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
FARSTATE_INLINE void scan_columns(const ForwardScratch<Real>& w, int64_t N, int64_t n0,
                                  int64_t begin, int64_t end) {
  constexpr int64_t lanes = kLanes<Real>;
  int64_t p = 0;
  for (; p + 2 * lanes <= w.P; p += 2 * lanes) scan_tile<Real, 2, NN>(w, N, p, n0, begin, end);
  if (p < w.P) scan_tile<Real, 1, NN>(w, N, p, n0, begin, end);
}

template <class Real>
void scan_segment(const ForwardScratch<Real>& w, int64_t N, int64_t begin, int64_t end) {
  constexpr int kColumns = kRegisters / 4;  // 2 vectors each: half the registers hold state
  int64_t n = 0;
  for (; n + kColumns <= N; n += kColumns) scan_columns<Real, kColumns>(w, N, n, begin, end);
  for (; n < N; ++n) scan_columns<Real, 1>(w, N, n, begin, end);
}

template <class Real>
void scan_head(const SsdScanForward<Real>& args, int64_t b, int64_t head, Real* scratch) {
  constexpr int64_t kBlock = ForwardScratch<Real>::kBlock;
  const SsdScanInputs<Real>& in = args.in;
  const SsdScanSizes& s = in.sizes;
  const int64_t task = b * s.H + head, state_size = s.P * s.N;
  const int64_t blocks = (s.T + kSsdBlock - 1) / kSsdBlock;
  const int64_t group_offset = head / (s.H / s.G) * s.N;
  const Real D = in.D == nullptr ? Real(0) : in.D[head];
  ForwardScratch<Real> w(s, scratch);
  load_state(args.h_first == nullptr ? nullptr : args.h_first + task * state_size, s.P, s.N, w);

  int64_t k = 0;
  for (int64_t t0 = 0; t0 < s.T; t0 += kBlock) {
    if (args.block_states != nullptr && t0 % kSsdBlock == 0) {
      store_state(w, s.P, s.N, args.block_states + (task * blocks + t0 / kSsdBlock) * state_size);
    }
    const int64_t count = smaller(kBlock, s.T - t0);
    const int64_t row = b * in.xBC_stride_b + t0 * in.xBC_stride_t;
    prepare_steps<Real>(in, b, head, t0, count, w.dt, w.decay, nullptr);
    pack_rows(in.x + row + head * s.P, in.xBC_stride_t, w.dt, count, s.P, w.P, w.u);
    pack_rows<Real>(in.B + row + group_offset, in.xBC_stride_t, nullptr, count, s.N, s.N, w.B);
    pack_rows<Real>(in.C + row + group_offset, in.xBC_stride_t, nullptr, count, s.N, s.N, w.C);
    for (int64_t i = 0; i < count * w.P; ++i) w.y[i] = 0;

    for (int64_t begin = 0; begin < count;) {
      const bool measured = k < args.K && args.stat_positions[k] < t0 + count;
      const int64_t end = measured ? args.stat_positions[k] - t0 + 1 : count;
      scan_segment(w, s.N, begin, end);
      if (measured) {
        Moments moments;
        for (int64_t n = 0; n < s.N; ++n) moments.add(w.h + n * w.P, s.P);
        moments.store(args.stats + ((b * args.K + k) * s.H + head) * 4);
        ++k;
      }
      begin = end;
    }
    for (int64_t t = 0; t < count; ++t) {
      const Real* x = in.x + row + t * in.xBC_stride_t + head * s.P;
      Real* y = args.y + ((b * s.T + t0 + t) * s.H + head) * s.P;
      for (int64_t p = 0; p < s.P; ++p) y[p] = w.y[t * w.P + p] + D * x[p];
    }
  }
  store_state(w, s.P, s.N, args.h_last + task * state_size);
}

template <class Real>
struct BackwardScratch {
  static constexpr int64_t kLane = kLanes<Real>;
  int64_t N;                 // n padded to whole vectors
  Real *dt, *decay, *slope;  // [Q]
  Real *x, *u, *grad_y;      // [Q,P]  u = dt x
  Real *B, *C;               // [Q,N]
  Real *grad_B, *grad_C;     // [Q,N]
  Real* grad_u;              // [Q,P,lanes]  g_t B_t, lanes not added up yet
  Real* grad_decay;          // [Q,lanes]    <exp(dt_t A) g_t, h_{t-1}>, likewise
  Real *h, *g;               // [P,N]
  Real* history;             // [Q,tile]     h_{t-1} of one tile
  int64_t size;

  BackwardScratch(const SsdScanSizes& s, Real* base) : N(round_up(s.N, kLane)) {
    constexpr int64_t Q = kSsdBlock;
    Carver<Real> carve{base};
    dt = carve.take(Q);
    decay = carve.take(Q);
    slope = carve.take(Q);
    x = carve.take(Q * s.P);
    u = carve.take(Q * s.P);
    grad_y = carve.take(Q * s.P);
    B = carve.take(Q * N);
    C = carve.take(Q * N);
    grad_B = carve.take(Q * N);
    grad_C = carve.take(Q * N);
    grad_u = carve.take(Q * s.P * kLane);
    grad_decay = carve.take(Q * kLane);
    h = carve.take(s.P * N);
    g = carve.take(s.P * N);
    history = carve.take(Q * kRegisters * kLane);
    size = carve.used;
  }
};

// One tile of NP values of p from p0 on and NV vectors of n from n0 on, over a block.
template <class Real, int NP, int NV>
FARSTATE_INLINE void backward_tile(const BackwardScratch<Real>& w, int64_t P, int64_t p0,
                                   int64_t n0, int64_t count) {
  constexpr int64_t lanes = kLanes<Real>;
  Vec<Real> state[NP][NV];  // h on the way forward, g on the way back
  for (int p = 0; p < NP; ++p) {
    for (int v = 0; v < NV; ++v) state[p][v] = load(w.h + (p0 + p) * w.N + n0 + v * lanes);
  }
  for (int64_t t = 0; t < count; ++t) {
    Real* const history = w.history + t * NP * NV * lanes;
    const int64_t row = t * w.N + n0;
    const Vec<Real> decay = broadcast(w.decay[t]);
    for (int v = 0; v < NV; ++v) {
      const Vec<Real> B = load(w.B + row + v * lanes);
      Vec<Real> grad_C = load(w.grad_C + row + v * lanes);
      for (int p = 0; p < NP; ++p) {
        store<Real>(history + (p * NV + v) * lanes, state[p][v]);
        state[p][v] = decay * state[p][v] + w.u[t * P + p0 + p] * B;
        grad_C += w.grad_y[t * P + p0 + p] * state[p][v];
      }
      store<Real>(w.grad_C + row + v * lanes, grad_C);
    }
  }
  for (int p = 0; p < NP; ++p) {
    for (int v = 0; v < NV; ++v) state[p][v] = load(w.g + (p0 + p) * w.N + n0 + v * lanes);
  }
  for (int64_t t = count - 1; t >= 0; --t) {
    const Real* const history = w.history + t * NP * NV * lanes;
    Real* const grad_u_row = w.grad_u + (t * P + p0) * lanes;
    const int64_t row = t * w.N + n0;
    const Vec<Real> decay = broadcast(w.decay[t]);
    Vec<Real> grad_decay{}, grad_u[NP];
    for (int p = 0; p < NP; ++p) grad_u[p] = load(grad_u_row + p * lanes);
    for (int v = 0; v < NV; ++v) {
      const Vec<Real> B = load(w.B + row + v * lanes);
      const Vec<Real> C = load(w.C + row + v * lanes);
      Vec<Real> grad_B = load(w.grad_B + row + v * lanes);
      for (int p = 0; p < NP; ++p) {
        state[p][v] += w.grad_y[t * P + p0 + p] * C;
        grad_u[p] += state[p][v] * B;
        grad_B += w.u[t * P + p0 + p] * state[p][v];
        state[p][v] *= decay;
        grad_decay += state[p][v] * load(history + (p * NV + v) * lanes);
      }
      store<Real>(w.grad_B + row + v * lanes, grad_B);
    }
    for (int p = 0; p < NP; ++p) store<Real>(grad_u_row + p * lanes, grad_u[p]);
    store<Real>(w.grad_decay + t * lanes, load(w.grad_decay + t * lanes) + grad_decay);
  }
  for (int p = 0; p < NP; ++p) {
    for (int v = 0; v < NV; ++v) store<Real>(w.g + (p0 + p) * w.N + n0 + v * lanes, state[p][v]);
  }
}

template <class Real, int NV>
FARSTATE_INLINE void backward_columns(const BackwardScratch<Real>& w, int64_t P, int64_t n0,
                                      int64_t count) {
  constexpr int kRows = kRegisters / 8;
  int64_t p = 0;
  for (; p + kRows <= P; p += kRows) backward_tile<Real, kRows, NV>(w, P, p, n0, count);
  for (; p < P; ++p) backward_tile<Real, 1, NV>(w, P, p, n0, count);
}

// Sums over all positions of one head.
struct HeadSums {
  double A = 0, D = 0, dt_bias = 0;
};

template <class Real>
void backward_block(const SsdScanBackward<Real>& args, int64_t b, int64_t head, int64_t t0,
                    BackwardScratch<Real>& w, HeadSums& sums) {
  constexpr int64_t lanes = kLanes<Real>;
  const SsdScanInputs<Real>& in = args.in;
  const SsdScanSizes& s = in.sizes;
  const int64_t count = smaller(kSsdBlock, s.T - t0);
  const int64_t row = b * in.xBC_stride_b + t0 * in.xBC_stride_t;
  const int64_t grad_y_row = b * args.grad_y_stride_b + t0 * args.grad_y_stride_t;
  const int64_t group_offset = head / (s.H / s.G) * s.N;
  const int64_t blocks = (s.T + kSsdBlock - 1) / kSsdBlock;
  const int64_t block = (b * s.H + head) * blocks + t0 / kSsdBlock;

  prepare_steps<Real>(in, b, head, t0, count, w.dt, w.decay, w.slope);
  pack_rows<Real>(in.x + row + head * s.P, in.xBC_stride_t, nullptr, count, s.P, s.P, w.x);
  pack_rows(in.x + row + head * s.P, in.xBC_stride_t, w.dt, count, s.P, s.P, w.u);
  pack_rows<Real>(args.grad_y + grad_y_row + head * s.P, args.grad_y_stride_t, nullptr, count, s.P,
                  s.P, w.grad_y);
  pack_rows<Real>(in.B + row + group_offset, in.xBC_stride_t, nullptr, count, s.N, w.N, w.B);
  pack_rows<Real>(in.C + row + group_offset, in.xBC_stride_t, nullptr, count, s.N, w.N, w.C);
  pack_rows<Real>(args.block_states + block * s.P * s.N, s.N, nullptr, s.P, s.N, w.N, w.h);
  for (int64_t i = 0; i < count * w.N; ++i) w.grad_B[i] = w.grad_C[i] = 0;
  for (int64_t i = 0; i < count * s.P * lanes; ++i) w.grad_u[i] = 0;
  for (int64_t i = 0; i < count * lanes; ++i) w.grad_decay[i] = 0;

  int64_t n = 0;
  for (; n + 2 * lanes <= w.N; n += 2 * lanes) backward_columns<Real, 2>(w, s.P, n, count);
  if (n < w.N) backward_columns<Real, 1>(w, s.P, n, count);

  const Real A = in.A[head], D = in.D == nullptr ? Real(0) : in.D[head];
  for (int64_t t = 0; t < count; ++t) {
    Real* grad_x =
        args.grad_x + b * args.grad_xBC_stride_b + (t0 + t) * args.grad_xBC_stride_t + head * s.P;
    Real x_grad_u = 0, x_grad_y = 0;
    for (int64_t p = 0; p < s.P; ++p) {
      const Real grad_u = sum_lanes<Real>(load(w.grad_u + (t * s.P + p) * lanes));
      const Real x = w.x[t * s.P + p], grad_y = w.grad_y[t * s.P + p];
      grad_x[p] = w.dt[t] * grad_u + D * grad_y;
      x_grad_u += x * grad_u;
      x_grad_y += x * grad_y;
    }
    const Real grad_decay = sum_lanes<Real>(load(w.grad_decay + t * lanes));
    const Real grad_dt_raw = (x_grad_u + A * grad_decay) * w.slope[t];
    args.grad_dt_raw[(b * s.T + t0 + t) * s.H + head] = grad_dt_raw;
    sums.A += static_cast<double>(w.dt[t]) * grad_decay;
    sums.D += x_grad_y;
    sums.dt_bias += grad_dt_raw;
  }
}

// The block's gradients of B and C, added to what the slice's earlier heads left.
template <class Real>
void add_to_slice(const Real* block, int64_t count, int64_t padded_N, int64_t N, int64_t stride,
                  bool first, Real* to) {
  for (int64_t t = 0; t < count; ++t) {
    for (int64_t n = 0; n < N; ++n) {
      const Real before = first ? Real(0) : to[t * stride + n];
      to[t * stride + n] = before + block[t * padded_N + n];
    }
  }
}

}  // namespace

template <class Real>
int64_t ssd_scan_forward_scratch(const SsdScanSizes& sizes) {
  return ForwardScratch<Real>(sizes, nullptr).size;
}

template <class Real>
int64_t ssd_scan_backward_scratch(const SsdScanSizes& sizes) {
  return BackwardScratch<Real>(sizes, nullptr).size;
}

template <class Real>
void ssd_scan_forward(const SsdScanForward<Real>& args, int64_t begin, int64_t end, Real* scratch) {
  for (int64_t task = begin; task < end; ++task) {
    scan_head(args, task / args.in.sizes.H, task % args.in.sizes.H, scratch);
  }
}

template <class Real>
void ssd_scan_backward(const SsdScanBackward<Real>& args, int64_t begin, int64_t end,
                       Real* scratch) {
  const SsdScanSizes& s = args.in.sizes;
  const int64_t heads_per_group = s.H / s.G;
  const int64_t slices_per_group = (heads_per_group + kSsdHeadsPerSlice - 1) / kSsdHeadsPerSlice;
  const int64_t slices = s.G * slices_per_group;
  BackwardScratch<Real> w(s, scratch);
  for (int64_t task = begin; task < end; ++task) {
    const int64_t b = task / slices, slice = task % slices;
    const int64_t group_end = (slice / slices_per_group + 1) * heads_per_group;
    const int64_t first =
        slice / slices_per_group * heads_per_group + slice % slices_per_group * kSsdHeadsPerSlice;
    for (int64_t head = first; head < smaller(first + kSsdHeadsPerSlice, group_end); ++head) {
      const int64_t state = (b * s.H + head) * s.P * s.N;
      if (args.grad_h_last == nullptr) {
        for (int64_t i = 0; i < s.P * w.N; ++i) w.g[i] = 0;
      } else {
        pack_rows<Real>(args.grad_h_last + state, s.N, nullptr, s.P, s.N, w.N, w.g);
      }
      HeadSums sums;
      for (int64_t t0 = (s.T - 1) / kSsdBlock * kSsdBlock; t0 >= 0; t0 -= kSsdBlock) {
        backward_block(args, b, head, t0, w, sums);
        const int64_t count = smaller(kSsdBlock, s.T - t0);
        const int64_t to = ((b * s.T + t0) * slices + slice) * s.N;
        const int64_t stride = slices * s.N;
        add_to_slice(w.grad_B, count, w.N, s.N, stride, head == first, args.slice_grad_B + to);
        add_to_slice(w.grad_C, count, w.N, s.N, stride, head == first, args.slice_grad_C + to);
      }
      for (int64_t p = 0; p < s.P; ++p) {
        for (int64_t n = 0; n < s.N; ++n) {
          args.grad_h_first[state + p * s.N + n] = w.g[p * w.N + n];
        }
      }
      args.grad_A[b * s.H + head] = sums.A;
      args.grad_D[b * s.H + head] = sums.D;
      args.grad_dt_bias[b * s.H + head] = sums.dt_bias;
    }
  }
}

template int64_t ssd_scan_forward_scratch<float>(const SsdScanSizes&);
template int64_t ssd_scan_forward_scratch<double>(const SsdScanSizes&);
template int64_t ssd_scan_backward_scratch<float>(const SsdScanSizes&);
template int64_t ssd_scan_backward_scratch<double>(const SsdScanSizes&);
template void ssd_scan_forward(const SsdScanForward<float>&, int64_t, int64_t, float*);
template void ssd_scan_forward(const SsdScanForward<double>&, int64_t, int64_t, double*);
template void ssd_scan_backward(const SsdScanBackward<float>&, int64_t, int64_t, float*);
template void ssd_scan_backward(const SsdScanBackward<double>&, int64_t, int64_t, double*);

}  // namespace farstate::kernels::FARSTATE_ISA
