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

// `rows` rows of `width` at from + row * stride, times factor[row], into panels: element (row, i)
// goes to to[(i / kPanel * capacity + row) * kPanel + i % kPanel], what is missing in the last
// panel is zero. A tile then walks through memory without gaps; rows as they were, often a power
// of two apart, would share a few cache sets and push each other out.
template <int kPanel, class Real>
FARSTATE_INLINE void pack_panels(const Real* from, int64_t stride, const Real* factor, int64_t rows,
                                 int64_t width, int64_t capacity, Real* to) {
  for (int64_t i0 = 0; i0 < width; i0 += kPanel) {
    for (int64_t row = 0; row < rows; ++row) {
      const Real* const source = from + row * stride + i0;
      Real* const target = to + (i0 / kPanel * capacity + row) * kPanel;
      const Real scale = factor == nullptr ? Real(1) : factor[row];
      if (i0 + kPanel <= width) {
        for (int i = 0; i < kPanel; ++i) target[i] = source[i] * scale;
      } else {
        for (int i = 0; i < kPanel; ++i) target[i] = i0 + i < width ? source[i] * scale : Real(0);
      }
    }
  }
}

template <class Real>
struct ForwardScratch {
  static constexpr int64_t kBlock = 32;            // divides kSsdBlock
  static constexpr int kColumns = kRegisters / 4;  // n of a tile: with two vectors of p each
  static constexpr int kPanel = 2 * kLanes<Real>;  // half of the registers hold state
  int64_t P;                                       // p padded to whole vectors
  Real *dt, *decay;                                // [kBlock]
  Real *u, *y;                                     // [kBlock,P] in panels of kPanel; u = dt x
  Real *B, *C;                                     // [kBlock,N] in panels of kColumns
  Real* h;                                         // [N,P]
  int64_t size;

  ForwardScratch(const SsdScanSizes& s, Real* base) : P(round_up(s.P, kLanes<Real>)) {
    Carver<Real> carve{base};
    dt = carve.take(kBlock);
    decay = carve.take(kBlock);
    u = carve.take(kBlock * round_up(P, kPanel));
    y = carve.take(kBlock * round_up(P, kPanel));
    B = carve.take(kBlock * round_up(s.N, kColumns));
    C = carve.take(kBlock * round_up(s.N, kColumns));
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
FARSTATE_INLINE void scan_tile(const ForwardScratch<Real>& w, int64_t p0, int64_t n0, int64_t begin,
                               int64_t end) {
  using Scratch = ForwardScratch<Real>;
  constexpr int64_t lanes = kLanes<Real>;
  const int64_t n_panel =
      (n0 / Scratch::kColumns * Scratch::kBlock) * Scratch::kColumns + n0 % Scratch::kColumns;
  const Real* const u_panel = w.u + p0 * Scratch::kBlock;
  Real* const y_panel = w.y + p0 * Scratch::kBlock;
  Vec<Real> h[NN][NP];
  for (int n = 0; n < NN; ++n) {
    for (int p = 0; p < NP; ++p) h[n][p] = load(w.h + (n0 + n) * w.P + p0 + p * lanes);
  }
  for (int64_t t = begin; t < end; ++t) {
    const Real* const B = w.B + n_panel + t * Scratch::kColumns;
    const Real* const C = w.C + n_panel + t * Scratch::kColumns;
    const Vec<Real> decay = broadcast(w.decay[t]);
    Vec<Real> u[NP], y[NP];
    for (int p = 0; p < NP; ++p) {
      u[p] = load(u_panel + t * Scratch::kPanel + p * lanes);
      y[p] = load(y_panel + t * Scratch::kPanel + p * lanes);
    }
    for (int n = 0; n < NN; ++n) {
      for (int p = 0; p < NP; ++p) {
        h[n][p] = decay * h[n][p] + u[p] * B[n];
        y[p] += h[n][p] * C[n];
      }
    }
    for (int p = 0; p < NP; ++p) store<Real>(y_panel + t * Scratch::kPanel + p * lanes, y[p]);
  }
  for (int n = 0; n < NN; ++n) {
    for (int p = 0; p < NP; ++p) store<Real>(w.h + (n0 + n) * w.P + p0 + p * lanes, h[n][p]);
  }
}

template <class Real, int NN>
FARSTATE_INLINE void scan_columns(const ForwardScratch<Real>& w, int64_t n0, int64_t begin,
                                  int64_t end) {
  constexpr int64_t panel = ForwardScratch<Real>::kPanel;
  int64_t p = 0;
  for (; p + panel <= w.P; p += panel) scan_tile<Real, 2, NN>(w, p, n0, begin, end);
  if (p < w.P) scan_tile<Real, 1, NN>(w, p, n0, begin, end);
}

template <class Real>
void scan_segment(const ForwardScratch<Real>& w, int64_t N, int64_t begin, int64_t end) {
  constexpr int kColumns = ForwardScratch<Real>::kColumns;
  int64_t n = 0;
  for (; n + kColumns <= N; n += kColumns) scan_columns<Real, kColumns>(w, n, begin, end);
  for (; n < N; ++n) scan_columns<Real, 1>(w, n, begin, end);
}

template <class Real>
void scan_head(const SsdScanForward<Real>& args, int64_t b, int64_t head, Real* scratch) {
  using Scratch = ForwardScratch<Real>;
  constexpr int64_t kBlock = Scratch::kBlock;
  const SsdScanInputs<Real>& in = args.in;
  const SsdScanSizes& s = in.sizes;
  const int64_t task = b * s.H + head, state_size = s.P * s.N;
  const int64_t blocks = (s.T + kSsdBlock - 1) / kSsdBlock;
  const int64_t group_offset = head / (s.H / s.G) * s.N;
  const Real D = in.D == nullptr ? Real(0) : in.D[head];
  Scratch w(s, scratch);
  load_state(args.h_first == nullptr ? nullptr : args.h_first + task * state_size, s.P, s.N, w);

  int64_t k = 0;
  for (int64_t t0 = 0; t0 < s.T; t0 += kBlock) {
    if (args.block_states != nullptr && t0 % kSsdBlock == 0) {
      store_state(w, s.P, s.N, args.block_states + (task * blocks + t0 / kSsdBlock) * state_size);
    }
    const int64_t count = smaller(kBlock, s.T - t0);
    const int64_t row = b * in.xBC_stride_b + t0 * in.xBC_stride_t;
    prepare_steps<Real>(in, b, head, t0, count, w.dt, w.decay, nullptr);
    const auto pack_columns = [&](const Real* from, Real* to) {
      pack_panels<Scratch::kColumns, Real>(from + row + group_offset, in.xBC_stride_t, nullptr,
                                           count, s.N, kBlock, to);
    };
    pack_panels<Scratch::kPanel>(in.x + row + head * s.P, in.xBC_stride_t, w.dt, count, s.P, kBlock,
                                 w.u);
    pack_columns(in.B, w.B);
    pack_columns(in.C, w.C);
    for (int64_t i = 0; i < kBlock * round_up(w.P, Scratch::kPanel); ++i) w.y[i] = 0;

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
      for (int64_t p0 = 0; p0 < s.P; p0 += Scratch::kPanel) {
        const Real* const panel = w.y + p0 * kBlock + t * Scratch::kPanel;
        const int64_t width = smaller<int64_t>(Scratch::kPanel, s.P - p0);
        for (int64_t p = 0; p < width; ++p) y[p0 + p] = panel[p] + D * x[p0 + p];
      }
    }
  }
  store_state(w, s.P, s.N, args.h_last + task * state_size);
}

template <class Real>
struct BackwardScratch {
  static constexpr int64_t kLane = kLanes<Real>;
  static constexpr int64_t Q = kSsdBlock;
  static constexpr int kRows = kRegisters / 8;  // p of a tile, with two vectors of n each
  static constexpr int kPanel = 2 * kLane;
  int64_t P, N;              // padded to whole tiles
  Real *dt, *decay, *slope;  // [Q]
  Real *x, *u, *grad_y;      // [Q,P] in panels of kRows; u = dt x
  Real *B, *C;               // [Q,N] in panels of kPanel
  Real *grad_B, *grad_C;     // [Q,N] likewise
  Real* grad_u;              // [Q,P,lanes] likewise by p: g_t B_t, lanes not added up yet
  Real* grad_decay;          // [Q,lanes]  <exp(dt_t A) g_t, h_{t-1}>, likewise
  Real *h, *g;               // [P,N]
  Real* history;             // [Q,tile]   h_{t-1} of one tile
  int64_t size;

  BackwardScratch(const SsdScanSizes& s, Real* base)
      : P(round_up(s.P, kRows)), N(round_up(s.N, kPanel)) {
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
    grad_u = carve.take(Q * P * kLane);
    grad_decay = carve.take(Q * kLane);
    h = carve.take(P * N);
    g = carve.take(P * N);
    history = carve.take(Q * kRows * kPanel);
    size = carve.used;
  }
};

// The tile of kRows values of p from p0 on and NV vectors of n from n0 on, over a block: the
// states again, kept in `history`, and grad_C from them; then back through g.
template <class Real, int NV>
FARSTATE_INLINE void backward_tile(const BackwardScratch<Real>& w, int64_t p0, int64_t n0,
                                   int64_t count) {
  using Scratch = BackwardScratch<Real>;
  constexpr int64_t lanes = kLanes<Real>;
  constexpr int NP = Scratch::kRows;
  const Real* const u_panel = w.u + p0 * Scratch::Q;
  const Real* const grad_y_panel = w.grad_y + p0 * Scratch::Q;
  Real* const grad_u_panel = w.grad_u + p0 * Scratch::Q * lanes;
  const int64_t n_panel = n0 * Scratch::Q;

  Vec<Real> h[NP][NV];
  for (int p = 0; p < NP; ++p) {
    for (int v = 0; v < NV; ++v) h[p][v] = load(w.h + (p0 + p) * w.N + n0 + v * lanes);
  }
  for (int64_t t = 0; t < count; ++t) {
    Real* const history = w.history + t * NP * NV * lanes;
    const int64_t row = n_panel + t * Scratch::kPanel;
    const Vec<Real> decay = broadcast(w.decay[t]);
    Vec<Real> u[NP], grad_y[NP];
    for (int p = 0; p < NP; ++p) {
      u[p] = broadcast(u_panel[t * NP + p]);
      grad_y[p] = broadcast(grad_y_panel[t * NP + p]);
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

  Vec<Real> g[NP][NV];
  for (int p = 0; p < NP; ++p) {
    for (int v = 0; v < NV; ++v) g[p][v] = load(w.g + (p0 + p) * w.N + n0 + v * lanes);
  }
  for (int64_t t = count - 1; t >= 0; --t) {
    const Real* const history = w.history + t * NP * NV * lanes;
    const int64_t row = n_panel + t * Scratch::kPanel;
    const Vec<Real> decay = broadcast(w.decay[t]);
    Vec<Real> grad_decay{}, u[NP], grad_y[NP], grad_u[NP];
    for (int p = 0; p < NP; ++p) {
      u[p] = broadcast(u_panel[t * NP + p]);
      grad_y[p] = broadcast(grad_y_panel[t * NP + p]);
      grad_u[p] = load(grad_u_panel + (t * NP + p) * lanes);
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
    for (int p = 0; p < NP; ++p) store<Real>(grad_u_panel + (t * NP + p) * lanes, grad_u[p]);
    store<Real>(w.grad_decay + t * lanes, load(w.grad_decay + t * lanes) + grad_decay);
  }
  for (int p = 0; p < NP; ++p) {
    for (int v = 0; v < NV; ++v) store<Real>(w.g + (p0 + p) * w.N + n0 + v * lanes, g[p][v]);
  }
}

template <class Real>
void copy_rows(const Real* from, int64_t rows, int64_t width, int64_t from_stride,
               int64_t to_stride, Real* to) {
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t i = 0; i < width; ++i) to[row * to_stride + i] = from[row * from_stride + i];
  }
}

// Sums over all positions of one head.
struct HeadSums {
  double A = 0, D = 0, dt_bias = 0;
};

template <class Real>
void backward_block(const SsdScanBackward<Real>& args, int64_t b, int64_t head, int64_t t0,
                    BackwardScratch<Real>& w, HeadSums& sums) {
  using Scratch = BackwardScratch<Real>;
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
  const auto pack_p = [&](const Real* from, int64_t stride, const Real* factor, Real* to) {
    pack_panels<Scratch::kRows>(from + head * s.P, stride, factor, count, s.P, Scratch::Q, to);
  };
  const auto pack_n = [&](const Real* from, Real* to) {
    pack_panels<Scratch::kPanel, Real>(from + row + group_offset, in.xBC_stride_t, nullptr, count,
                                       s.N, Scratch::Q, to);
  };
  pack_p(in.x + row, in.xBC_stride_t, nullptr, w.x);
  pack_p(in.x + row, in.xBC_stride_t, w.dt, w.u);
  pack_p(args.grad_y + grad_y_row, args.grad_y_stride_t, nullptr, w.grad_y);
  pack_n(in.B, w.B);
  pack_n(in.C, w.C);
  copy_rows(args.block_states + block * s.P * s.N, s.P, s.N, s.N, w.N, w.h);
  for (int64_t i = 0; i < Scratch::Q * w.N; ++i) w.grad_B[i] = w.grad_C[i] = 0;
  for (int64_t i = 0; i < Scratch::Q * w.P * lanes; ++i) w.grad_u[i] = 0;
  for (int64_t i = 0; i < Scratch::Q * lanes; ++i) w.grad_decay[i] = 0;

  for (int64_t n = 0; n < w.N; n += Scratch::kPanel) {
    const bool half = n + lanes >= s.N;  // the panel's second vector is padding
    for (int64_t p = 0; p < s.P; p += Scratch::kRows) {
      half ? backward_tile<Real, 1>(w, p, n, count) : backward_tile<Real, 2>(w, p, n, count);
    }
  }

  const Real A = in.A[head], D = in.D == nullptr ? Real(0) : in.D[head];
  for (int64_t t = 0; t < count; ++t) {
    Real* grad_x =
        args.grad_x + b * args.grad_xBC_stride_b + (t0 + t) * args.grad_xBC_stride_t + head * s.P;
    Real x_grad_u = 0, x_grad_y = 0;
    for (int64_t p = 0; p < s.P; ++p) {
      const int64_t at =
          (p / Scratch::kRows * Scratch::Q + t) * Scratch::kRows + p % Scratch::kRows;
      const Real grad_u = sum_lanes<Real>(load(w.grad_u + at * lanes));
      const Real x = w.x[at], grad_y = w.grad_y[at];
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

// The block's gradients of B or C, in panels, added to what the slice's earlier heads left.
template <class Real>
void add_to_slice(const Real* block, int64_t count, int64_t N, int64_t stride, bool first,
                  Real* to) {
  constexpr int64_t panel = BackwardScratch<Real>::kPanel, Q = BackwardScratch<Real>::Q;
  for (int64_t t = 0; t < count; ++t) {
    for (int64_t n0 = 0; n0 < N; n0 += panel) {
      const Real* const from = block + n0 * Q + t * panel;
      Real* const target = to + t * stride + n0;
      for (int64_t n = 0; n < smaller(panel, N - n0); ++n) {
        target[n] = first ? from[n] : target[n] + from[n];
      }
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
      for (int64_t i = 0; i < w.P * w.N; ++i) w.g[i] = w.h[i] = 0;
      if (args.grad_h_last != nullptr) {
        copy_rows(args.grad_h_last + state, s.P, s.N, s.N, w.N, w.g);
      }
      HeadSums sums;
      for (int64_t t0 = (s.T - 1) / kSsdBlock * kSsdBlock; t0 >= 0; t0 -= kSsdBlock) {
        backward_block(args, b, head, t0, w, sums);
        const int64_t count = smaller(kSsdBlock, s.T - t0);
        const int64_t to = ((b * s.T + t0) * slices + slice) * s.N;
        const int64_t stride = slices * s.N;
        add_to_slice(w.grad_B, count, s.N, stride, head == first, args.slice_grad_B + to);
        add_to_slice(w.grad_C, count, s.N, stride, head == first, args.slice_grad_C + to);
      }
      copy_rows(w.g, s.P, s.N, w.N, s.N, args.grad_h_first + state);
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
