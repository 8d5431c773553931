// SPDX-License-Identifier: GPL-3.0-or-later
// The backward pass by blocks of kSsdBlock positions, within which the recurrence is written out as
// products of matrices (the quadratic form of SSD, Dao and Gu 2024, section 3, whose gradients are
// products of the same kind). With a_t = dt_t A, u_t = dt_t x_t, h the state that enters a block and
// g the gradient of the one that leaves it, for positions s <= t of the block
//   decay(s,t) = exp(a_{s+1} + … + a_t)
//   W_ts = decay(s,t) grad_y_t . u_s            K_ts = decay(s,t) C_t . B_s
//   grad_u_s = sum over t of K_ts grad_y_t   + decay(s,end) g B_s
//   grad_B_s = sum over t of W_ts C_t        + decay(s,end) u_s g
//   grad_C_t = sum over s of W_ts B_s        + decay(begin,t) grad_y_t h
//   g before the block = decay(begin,end) g  + sum over t of decay(begin,t) grad_y_t (outer) C_t
// and grad_a_r is the sum of what crosses r: W_ts C_t . B_s of all s < r <= t, of the terms in g all
// with s < r, of those in h all with t >= r, and decay(begin,end) <g, h>. Sums of what crosses, not
// differences of longer sums, keep its precision; decays are products of exp(a_t), which may
// vanish, never quotients.
//
// The gradients between blocks come first, head by head, last block to first; then every block is a
// task of its own that adds the heads of a group up, so that gradients of B and C are written once.
// Per element of the state 4 multiply-adds; what W and K cost is Q (2 P + 3 N / heads) / 2 per position.
//
// What each step bought, in times of the forward pass, measured as in ssd_scan_forward_cpu.cpp:
//   1  states recomputed position by position, 8 multiply-adds per
//      element: tiles in registers, blocks of 64 positions              4.6
//   2  rows an odd number of cache lines apart, broadcasts that are
//      one load, lanes of g_t B_t added by transposition                3.9
//   3  blocks of 32: a tile's rows and history fit the first cache      3.5
//   4  products of matrices within blocks of 64, 4 multiply-adds        2.5
//   5  innermost loops in functions of their own, no calls to set a few
//      vectors to zero                                                  2.2
// A window of 64 positions that begins at zero has neither h nor g:     1.2
#include "kernels/simd/small_product.h"
#include "kernels/ssd_scan/block.h"

namespace farstate::kernels::FARSTATE_ISA {
namespace {

constexpr int64_t Q = kSsdBlock;
// Room for whole tiles and whole vectors of positions.
template <class Real>
constexpr int64_t kPositions = round_up(round_up(Q, kTileRows), kLanes<Real>);

template <class Real>
FARSTATE_INLINE int64_t whole_rows(int64_t rows) {
  return round_up(round_up(rows, kTileRows), kLanes<Real>);
}

// factors[t] = decay(begin,t); returns decay(begin,end).
template <class Real>
FARSTATE_INLINE Real decays_from_begin(const Real* decay, int64_t count, Real* factors) {
  Real product = 1;
  for (int64_t t = 0; t < count; ++t) factors[t] = product *= decay[t];
  return product;
}

// factors[t] = decay(t,end)
template <class Real>
FARSTATE_INLINE void decays_to_end(const Real* decay, int64_t count, Real* factors) {
  Real product = 1;
  for (int64_t t = count - 1; t >= 0; product *= decay[t--]) factors[t] = product;
}

template <class Real>
struct StatesScratch {
  int64_t P, N;                    // lengths of rows
  Real *dt, *decay, *from_begin;   // [Q]
  Real* grad_y;                    // [Q,P]  decay(begin,t) grad_y_t
  Real* C;                         // [Q,N]
  Real* g;                         // [P,N]
  int64_t size;

  StatesScratch(const SsdScanSizes& s, Real* base)
      : P(odd_lines<Real>(s.P + kTileRows)), N(odd_lines<Real>(s.N)) {
    Carver<Real> carve{base};
    dt = carve.take(kPositions<Real>);
    decay = carve.take(kPositions<Real>);
    from_begin = carve.take(kPositions<Real>);
    grad_y = carve.take(Q * P);
    C = carve.take(Q * N);
    g = carve.take(whole_rows<Real>(s.P) * N);
    size = carve.used;
  }
};

// Tiles take the scratch by value: a compiler that sees a reference has to load its members again
// after every store.
template <class Real, int NV>
FARSTATE_APART void pass_back_tile(const StatesScratch<Real>& w, int64_t p0, int64_t n0,
                                    int64_t count, Real whole_decay) {
  constexpr int64_t lanes = kLanes<Real>;
  Tile<Real, NV> g;
  for (int m = 0; m < kTileRows; ++m) {
    for (int v = 0; v < NV; ++v) {
      g[m][v] = whole_decay * load(w.g + (p0 + m) * w.N + n0 + v * lanes);
    }
  }
  add_product<Real, NV>(g, Columns<Real>{w.grad_y + p0, w.P}, w.C + n0, w.N, count);
  for (int m = 0; m < kTileRows; ++m) {
    for (int v = 0; v < NV; ++v) store<Real>(w.g + (p0 + m) * w.N + n0 + v * lanes, g[m][v]);
  }
}

// g from after the block to before it.
template <class Real>
void pass_back(const SsdScanBackward<Real>& args, int64_t b, int64_t head, int64_t t0,
               int64_t count, const StatesScratch<Real>& w) {
  const SsdScanInputs<Real>& in = args.in;
  const SsdScanSizes& s = in.sizes;
  prepare_steps<Real>(in, b, head, t0, count, w.dt, w.decay, nullptr);
  const Real whole_decay = decays_from_begin(w.decay, count, w.from_begin);
  pack_rows<Real>(args.grad_y + b * args.grad_y_stride_b + t0 * args.grad_y_stride_t + head * s.P,
                  args.grad_y_stride_t, count, s.P, w.grad_y, w.P, 1, w.from_begin);
  pack_rows<Real>(in.C + b * in.xBC_stride_b + t0 * in.xBC_stride_t + head / (s.H / s.G) * s.N,
                  in.xBC_stride_t, count, s.N, w.C, w.N);
  for_each_tile<Real>(s.P, s.N, [&](auto vectors, int64_t p0, int64_t n0) {
    pass_back_tile<Real, vectors.count>(w, p0, n0, count, whole_decay);
  });
}

template <class Real>
void backward_states(const SsdScanBackward<Real>& args, int64_t b, int64_t head,
                     const StatesScratch<Real>& w) {
  const SsdScanSizes& s = args.in.sizes;
  const int64_t task = b * s.H + head, blocks = ssd_blocks(s.T), state = s.P * s.N;
  set_zero(w.g, s.P * w.N);
  if (args.grad_h_last != nullptr) {
    pack_rows(args.grad_h_last + task * state, s.N, s.P, s.N, w.g, w.N);
  }
  for (int64_t block = blocks - 1; block >= 0; --block) {
    unpack_rows(w.g, w.N, s.P, s.N, args.block_grads + (task * blocks + block) * state, s.N);
    if (block == 0 && args.grad_h_first == nullptr) return;
    pass_back(args, b, head, block * Q, smaller(Q, s.T - block * Q), w);
  }
  unpack_rows(w.g, w.N, s.P, s.N, args.grad_h_first + task * state, s.N);
}

// Sums over a vector's lanes that are still to be added, one vector per position.
enum Dot { kXGradU, kXGradY, kOfG, kOfH, kCrossing, kDots };

template <class Real>
struct BlockScratch {
  static constexpr int64_t kRows = kPositions<Real>;
  int64_t P, N, S;                          // lengths of rows; S of those of positions
  // Of the group:
  Real *B, *C;                              // [Q,N]
  Real* B_transposed;                       // [N,S]
  Real* CB;                                 // [Q,S]  C_t . B_s
  Real* W;                                  // [Q,S]  added up over the heads
  Real *grad_B, *grad_C;                    // [Q,N]
  // Of a head:
  Real *dt, *decay, *slope;                 // [Q]
  Real *from_begin, *to_end;                // [Q]
  Real *x, *grad_y;                         // [Q,P]
  Real* x_transposed;                       // [P,S]
  Real* K;                                  // [Q,S]
  Real* between;                            // [Q,S]  decay(s,t), then W_ts C_t . B_s
  Real* state;                              // [P,N]  g, then h
  Real* g_transposed;                       // [N,P]
  Real* dots[kDots];                        // [Q,lanes]
  Real* crossing;                           // [S]
  int64_t size;

  BlockScratch(const SsdScanSizes& s, Real* base)
      : P(odd_lines<Real>(s.P)), N(odd_lines<Real>(s.N)), S(odd_lines<Real>(kRows)) {
    Carver<Real> carve{base};
    B = carve.take(kRows * N);
    C = carve.take(kRows * N);
    B_transposed = carve.take(s.N * S);
    CB = carve.take(kRows * S);
    W = carve.take(kRows * S);
    grad_B = carve.take(kRows * N);
    grad_C = carve.take(kRows * N);
    for (Real** array : {&dt, &decay, &slope, &from_begin, &to_end}) *array = carve.take(kRows);
    x = carve.take(kRows * P);
    grad_y = carve.take(kRows * P);
    x_transposed = carve.take(s.P * S);
    K = carve.take(kRows * S);
    between = carve.take(kRows * S);
    state = carve.take(round_up(s.P, kLanes<Real>) * N);
    g_transposed = carve.take(s.N * P);
    for (Real*& dot : dots) dot = carve.take(kRows * kLanes<Real>);
    crossing = carve.take(S);
    size = carve.used;
  }
};

// for_each_tile of positions t against positions s, where some pair has s <= t.
template <class Real, class Body>
FARSTATE_INLINE void for_each_causal_tile(int64_t count, const Body& body) {
  for_each_strip<Real>(count, [&](auto vectors, int64_t s0) {
    for (int64_t t0 = s0 / kTileRows * kTileRows; t0 < count; t0 += kTileRows) {
      body(vectors, t0, s0);
    }
  });
}

// A tile of CB.
template <class Real, int NV>
FARSTATE_APART void multiply_C_and_B(const BlockScratch<Real>& w, int64_t N, int64_t t0, int64_t s0) {
  constexpr int64_t lanes = kLanes<Real>;
  Tile<Real, NV> sum{};
  add_product<Real, NV>(sum, Rows<Real>{w.C + t0 * w.N, w.N}, w.B_transposed + s0, w.S, N);
  for (int m = 0; m < kTileRows; ++m) {
    for (int v = 0; v < NV; ++v) store<Real>(w.CB + (t0 + m) * w.S + s0 + v * lanes, sum[m][v]);
  }
}

// decay(s,t) of s <= t, zero elsewhere: what follows need not ask which pairs there are.
template <class Real>
void decays_between(const BlockScratch<Real>& w, int64_t count) {
  constexpr int64_t lanes = kLanes<Real>;
  for (int64_t t = 0; t < count; ++t) {
    Real* const row = w.between + t * w.S;
    const Vec<Real> decay = broadcast(w.decay[t]);
    int64_t s = 0;
    for (; s < t; s += lanes) store<Real>(row + s, decay * load(row - w.S + s));
    for (; s < w.S; s += lanes) store<Real>(row + s, Vec<Real>{});
    row[t] = 1;
  }
}

// A tile of W, added to the group's; of K; and in place of the decays W_ts C_t . B_s.
template <class Real, int NV>
FARSTATE_APART void multiply_grad_y_and_x(const BlockScratch<Real>& w, int64_t P, int64_t t0,
                                          int64_t s0) {
  constexpr int64_t lanes = kLanes<Real>;
  Tile<Real, NV> sum{};
  add_product<Real, NV>(sum, Rows<Real>{w.grad_y + t0 * w.P, w.P}, w.x_transposed + s0, w.S, P);
  for (int m = 0; m < kTileRows; ++m) {
    for (int v = 0; v < NV; ++v) {
      const int64_t s = s0 + v * lanes, at = (t0 + m) * w.S + s;
      const Vec<Real> CB = load(w.CB + at), decay = load(w.between + at);
      const Vec<Real> W = decay * load(w.dt + s) * sum[m][v];
      store<Real>(w.W + at, load(w.W + at) + W);
      store<Real>(w.K + at, decay * CB);
      store<Real>(w.between + at, W * CB);
    }
  }
}

// The sums over s < r <= t of W_ts C_t . B_s, as lanes.
template <class Real>
void add_crossing(const BlockScratch<Real>& w, int64_t count) {
  constexpr int64_t lanes = kLanes<Real>;
  set_zero(w.crossing, w.S);  // of s: the sum over t >= r
  for (int64_t r = count - 1; r >= 0; --r) {
    Vec<Real> sum{};
    int64_t s = 0;
    for (; s + lanes <= r; s += lanes) {
      const Vec<Real> of_s = load(w.crossing + s) + load(w.between + r * w.S + s);
      store<Real>(w.crossing + s, of_s);
      sum += of_s;
    }
    for (; s < r; ++s) sum[s % lanes] += w.crossing[s] += w.between[r * w.S + s];
    store<Real>(w.dots[kCrossing] + r * lanes, sum);
  }
}

// grad_x of a tile of positions from s0 on, and what it brings to the sums over P.
template <class Real, int NV>
FARSTATE_APART void input_gradient_tile(const BlockScratch<Real>& w, const SsdScanSizes& sizes,
                                         int64_t s0, int64_t p0, int64_t count, bool with_g, Real D,
                                         Real* grad_x, int64_t grad_x_stride) {
  constexpr int64_t lanes = kLanes<Real>;
  const auto place = [&](Real* rows, int m, int v) { return rows + (s0 + m) * w.P + p0 + v * lanes; };
  Tile<Real, NV> grad_u{};
  if (with_g) {
    add_product<Real, NV>(grad_u, Rows<Real>{w.B + s0 * w.N, w.N}, w.g_transposed + p0, w.P,
                          sizes.N);
    for (int m = 0; m < kTileRows; ++m) {
      const Vec<Real> to_end = broadcast(w.to_end[s0 + m]);
      Vec<Real> of_g = load(w.dots[kOfG] + (s0 + m) * lanes);
      for (int v = 0; v < NV; ++v) {
        grad_u[m][v] *= to_end;
        of_g += grad_u[m][v] * load(place(w.x, m, v));
      }
      store<Real>(w.dots[kOfG] + (s0 + m) * lanes, of_g);
    }
  }
  add_product<Real, NV>(grad_u, Columns<Real>{w.K + s0 * w.S + s0, w.S}, place(w.grad_y, 0, 0), w.P,
                        count - s0);
  for (int m = 0; m < kTileRows; ++m) {
    if (s0 + m >= count) break;
    const Vec<Real> dt = broadcast(w.dt[s0 + m]);
    Vec<Real> x_grad_u = load(w.dots[kXGradU] + (s0 + m) * lanes);
    Vec<Real> x_grad_y = load(w.dots[kXGradY] + (s0 + m) * lanes);
    for (int v = 0; v < NV; ++v) {
      const Vec<Real> x = load(place(w.x, m, v)), grad_y = load(place(w.grad_y, m, v));
      x_grad_u += x * grad_u[m][v];
      x_grad_y += x * grad_y;
      store_first<Real>(grad_x + (s0 + m) * grad_x_stride + p0 + v * lanes,
                        dt * grad_u[m][v] + D * grad_y,
                        smaller(lanes, sizes.P - p0 - v * lanes));
    }
    store<Real>(w.dots[kXGradU] + (s0 + m) * lanes, x_grad_u);
    store<Real>(w.dots[kXGradY] + (s0 + m) * lanes, x_grad_y);
  }
}

// A tile of to_end u g, added to grad_B.
template <class Real, int NV>
FARSTATE_APART void add_grad_B_of_g(const BlockScratch<Real>& w, int64_t P, int64_t s0, int64_t n0) {
  constexpr int64_t lanes = kLanes<Real>;
  Tile<Real, NV> sum{};
  add_product<Real, NV>(sum, Rows<Real>{w.x + s0 * w.P, w.P}, w.state + n0, w.N, P);
  for (int m = 0; m < kTileRows; ++m) {
    const Vec<Real> factor = broadcast(w.dt[s0 + m] * w.to_end[s0 + m]);
    Real* const to = w.grad_B + (s0 + m) * w.N + n0;
    for (int v = 0; v < NV; ++v) {
      store<Real>(to + v * lanes, load(to + v * lanes) + factor * sum[m][v]);
    }
  }
}

// A tile of from_begin grad_y h, added to grad_C, and its product with C.
template <class Real, int NV>
FARSTATE_APART void add_grad_C_of_h(const BlockScratch<Real>& w, int64_t P, int64_t t0, int64_t n0) {
  constexpr int64_t lanes = kLanes<Real>;
  Tile<Real, NV> sum{};
  add_product<Real, NV>(sum, Rows<Real>{w.grad_y + t0 * w.P, w.P}, w.state + n0, w.N, P);
  for (int m = 0; m < kTileRows; ++m) {
    const Vec<Real> factor = broadcast(w.from_begin[t0 + m]);
    const int64_t row = (t0 + m) * w.N + n0;
    Vec<Real> of_h = load(w.dots[kOfH] + (t0 + m) * lanes);
    for (int v = 0; v < NV; ++v) {
      const Vec<Real> grad_C = factor * sum[m][v];
      store<Real>(w.grad_C + row + v * lanes, load(w.grad_C + row + v * lanes) + grad_C);
      of_h += grad_C * load(w.C + row + v * lanes);
    }
    store<Real>(w.dots[kOfH] + (t0 + m) * lanes, of_h);
  }
}

// <g, h>, and h [P,N] in g's place.
template <class Real>
Real replace_by(const Real* h, const BlockScratch<Real> w, int64_t P, int64_t N) {
  Vec<Real> product{};
  for (int64_t p = 0; p < P; ++p) {
    for_each_vector<Real>(N, [&](int64_t n, int64_t used) {
      const Vec<Real> row = load_first(h + p * N + n, used);
      product += row * load(w.state + p * w.N + n);
      store<Real>(w.state + p * w.N + n, row);
    });
  }
  return sum_lanes<Real>(product);
}

// Element t of dots becomes the sum of the lanes of vector t.
template <class Real>
void add_lanes(Real* dots, int64_t count) {
  constexpr int64_t lanes = kLanes<Real>;
  for (int64_t t = 0; t < count; t += lanes) {
    Vec<Real> rows[lanes];
    for (int i = 0; i < lanes; ++i) rows[i] = load(dots + (t + i) * lanes);
    store<Real>(dots + t, sum_each<Real>(rows));
  }
}

// One block of one group of heads.
template <class Real>
struct Block {
  int64_t b, index, group;
  int64_t t0, count;
};

// Zero behind the positions, as far as tiles and vectors reach.
template <class Real>
FARSTATE_INLINE void pack_positions(const Real* from, int64_t stride, int64_t count, int64_t width,
                                    Real* to, int64_t to_stride) {
  pack_rows(from, stride, count, width, to, to_stride);
  set_zero(to + count * to_stride, (whole_rows<Real>(count) - count) * to_stride);
}

template <class Real>
void begin_block(const SsdScanBackward<Real>& args, const Block<Real>& block,
                 const BlockScratch<Real>& w) {
  const SsdScanInputs<Real>& in = args.in;
  const int64_t N = in.sizes.N, count = block.count;
  const int64_t row =
      block.b * in.xBC_stride_b + block.t0 * in.xBC_stride_t + block.group * N;
  pack_positions(in.B + row, in.xBC_stride_t, count, N, w.B, w.N);
  pack_positions(in.C + row, in.xBC_stride_t, count, N, w.C, w.N);
  transpose_matrix(w.B, whole_rows<Real>(count), N, w.N, w.B_transposed, w.S);
  for_each_causal_tile<Real>(count, [&](auto vectors, int64_t t0, int64_t s0) {
    multiply_C_and_B<Real, vectors.count>(w, N, t0, s0);
  });
  set_zero(w.W, BlockScratch<Real>::kRows * w.S);
  set_zero(w.grad_B, BlockScratch<Real>::kRows * w.N);
  set_zero(w.grad_C, BlockScratch<Real>::kRows * w.N);
}

// The sums of a head over the block's positions, and its grad_dt_raw.
template <class Real>
void finish_head(const SsdScanBackward<Real>& args, const Block<Real>& block, int64_t head,
                 Real of_whole_decay, const BlockScratch<Real>& w) {
  const SsdScanSizes& s = args.in.sizes;
  const Real A = args.in.A[head];
  for (Real* const dots : w.dots) add_lanes(dots, block.count);
  Real of_g = 0, of_h = 0;
  for (int64_t t = 0; t < block.count; of_g += w.dt[t] * w.dots[kOfG][t], ++t) {
    w.dots[kCrossing][t] += of_g;
  }
  double grad_A = 0, grad_D = 0, grad_dt_bias = 0;
  for (int64_t t = block.count - 1; t >= 0; --t) {
    of_h += w.dots[kOfH][t];
    const Real grad_a = w.dots[kCrossing][t] + of_h + of_whole_decay;
    const Real grad_dt_raw = (w.dots[kXGradU][t] + A * grad_a) * w.slope[t];
    args.grad_dt_raw[(block.b * s.T + block.t0 + t) * s.H + head] = grad_dt_raw;
    grad_A += static_cast<double>(w.dt[t]) * grad_a;
    grad_D += w.dots[kXGradY][t];
    grad_dt_bias += grad_dt_raw;
  }
  double* const sums =
      args.block_sums + ((block.b * s.H + head) * ssd_blocks(s.T) + block.index) * 3;
  sums[0] = grad_A;
  sums[1] = grad_D;
  sums[2] = grad_dt_bias;
}

template <class Real>
void add_head(const SsdScanBackward<Real>& args, const Block<Real>& block, int64_t head,
              const BlockScratch<Real>& w) {
  const SsdScanInputs<Real>& in = args.in;
  const SsdScanSizes& s = in.sizes;
  const int64_t count = block.count, blocks = ssd_blocks(s.T);
  prepare_steps<Real>(in, block.b, head, block.t0, count, w.dt, w.decay, w.slope);
  const Real whole_decay = decays_from_begin(w.decay, count, w.from_begin);
  decays_to_end(w.decay, count, w.to_end);
  pack_positions(in.x + block.b * in.xBC_stride_b + block.t0 * in.xBC_stride_t + head * s.P,
                 in.xBC_stride_t, count, s.P, w.x, w.P);
  pack_positions(args.grad_y + block.b * args.grad_y_stride_b + block.t0 * args.grad_y_stride_t +
                     head * s.P,
                 args.grad_y_stride_t, count, s.P, w.grad_y, w.P);
  transpose_matrix(w.x, whole_rows<Real>(count), s.P, w.P, w.x_transposed, w.S);
  for (Real* const dots : w.dots) set_zero(dots, BlockScratch<Real>::kRows * kLanes<Real>);

  decays_between(w, count);
  for_each_causal_tile<Real>(count, [&](auto vectors, int64_t t0, int64_t s0) {
    multiply_grad_y_and_x<Real, vectors.count>(w, s.P, t0, s0);
  });
  add_crossing(w, count);

  // Without them g and h are zero.
  const bool with_g = args.grad_h_last != nullptr || block.index + 1 < blocks;
  const bool with_h = !args.begins_at_zero || block.index > 0;
  const int64_t states = ((block.b * s.H + head) * blocks + block.index) * s.P * s.N;
  if (with_g) {
    pack_rows(args.block_grads + states, s.N, s.P, s.N, w.state, w.N);
    transpose_matrix(w.state, round_up(s.P, kLanes<Real>), s.N, w.N, w.g_transposed, w.P);
    for_each_tile<Real>(count, s.N, [&](auto vectors, int64_t s0, int64_t n0) {
      add_grad_B_of_g<Real, vectors.count>(w, s.P, s0, n0);
    });
  }
  const int64_t to =
      block.b * args.grad_xBC_stride_b + block.t0 * args.grad_xBC_stride_t + head * s.P;
  const Real D = in.D == nullptr ? Real(0) : in.D[head];
  for_each_tile<Real>(count, s.P, [&](auto vectors, int64_t s0, int64_t p0) {
    input_gradient_tile<Real, vectors.count>(w, s, s0, p0, count, with_g, D, args.grad_x + to,
                                             args.grad_xBC_stride_t);
  });
  Real of_whole_decay = 0;
  if (with_h) {
    const Real g_h = replace_by(args.block_states + states, w, s.P, s.N);
    if (with_g) of_whole_decay = whole_decay * g_h;
    for_each_tile<Real>(count, s.N, [&](auto vectors, int64_t t0, int64_t n0) {
      add_grad_C_of_h<Real, vectors.count>(w, s.P, t0, n0);
    });
  }
  finish_head(args, block, head, of_whole_decay, w);
}

// A tile of rows [count,N] of grad_B or grad_C: what the heads left, and the group's W times the
// positions of the other.
template <class Real, int NV, class Left>
FARSTATE_APART void finish_rows(const Real* of_heads, const Left W, const Real* right,
                                int64_t stride, int64_t depth, int64_t rows, int64_t columns,
                                Real* grad, int64_t grad_stride) {
  constexpr int64_t lanes = kLanes<Real>;
  Tile<Real, NV> sum;
  for (int m = 0; m < kTileRows; ++m) {
    for (int v = 0; v < NV; ++v) sum[m][v] = load(of_heads + m * stride + v * lanes);
  }
  add_product<Real, NV>(sum, W, right, stride, depth);
  for (int m = 0; m < kTileRows && m < rows; ++m) {
    for (int v = 0; v < NV; ++v) {
      store_first<Real>(grad + m * grad_stride + v * lanes, sum[m][v],
                        smaller(lanes, columns - v * lanes));
    }
  }
}

template <class Real>
void finish_block(const SsdScanBackward<Real>& args, const Block<Real>& block,
                  const BlockScratch<Real>& w) {
  const int64_t N = args.in.sizes.N, count = block.count, stride = args.grad_xBC_stride_t;
  const int64_t to =
      block.b * args.grad_xBC_stride_b + block.t0 * stride + block.group * N;
  for_each_tile<Real>(count, N, [&](auto vectors, int64_t t0, int64_t n0) {
    constexpr int NV = vectors.count;
    const int64_t row = t0 * w.N + n0;
    finish_rows<Real, NV>(w.grad_B + row, Columns<Real>{w.W + t0 * w.S + t0, w.S}, w.C + row, w.N,
                          count - t0, count - t0, N - n0, args.grad_B + to + t0 * stride + n0,
                          stride);
    finish_rows<Real, NV>(w.grad_C + row, Rows<Real>{w.W + t0 * w.S, w.S}, w.B + n0, w.N,
                          smaller(count, t0 + kTileRows), count - t0, N - n0,
                          args.grad_C + to + t0 * stride + n0, stride);
  });
}

}  // namespace

template <class Real>
int64_t ssd_scan_backward_states_scratch(const SsdScanSizes& sizes) {
  return StatesScratch<Real>(sizes, nullptr).size;
}

template <class Real>
int64_t ssd_scan_backward_blocks_scratch(const SsdScanSizes& sizes) {
  return BlockScratch<Real>(sizes, nullptr).size;
}

template <class Real>
void ssd_scan_backward_states(const SsdScanBackward<Real>& args, int64_t begin, int64_t end,
                              Real* scratch) {
  const StatesScratch<Real> w(args.in.sizes, scratch);
  for (int64_t task = begin; task < end; ++task) {
    backward_states(args, task / args.in.sizes.H, task % args.in.sizes.H, w);
  }
}

template <class Real>
void ssd_scan_backward_blocks(const SsdScanBackward<Real>& args, int64_t begin, int64_t end,
                              Real* scratch) {
  const SsdScanSizes& s = args.in.sizes;
  const int64_t blocks = ssd_blocks(s.T), heads = s.H / s.G;
  const BlockScratch<Real> w(s, scratch);
  set_zero(w.state + s.P * w.N, (round_up(s.P, kLanes<Real>) - s.P) * w.N);
  for (int64_t task = begin; task < end; ++task) {
    const int64_t index = task / s.G % blocks;
    const Block<Real> block{task / (s.G * blocks), index, task % s.G, index * Q,
                            smaller(Q, s.T - index * Q)};
    begin_block(args, block, w);
    for (int64_t head = block.group * heads; head < (block.group + 1) * heads; ++head) {
      add_head(args, block, head, w);
    }
    finish_block(args, block, w);
  }
}

template int64_t ssd_scan_backward_states_scratch<float>(const SsdScanSizes&);
template int64_t ssd_scan_backward_states_scratch<double>(const SsdScanSizes&);
template int64_t ssd_scan_backward_blocks_scratch<float>(const SsdScanSizes&);
template int64_t ssd_scan_backward_blocks_scratch<double>(const SsdScanSizes&);
template void ssd_scan_backward_states(const SsdScanBackward<float>&, int64_t, int64_t, float*);
template void ssd_scan_backward_states(const SsdScanBackward<double>&, int64_t, int64_t, double*);
template void ssd_scan_backward_blocks(const SsdScanBackward<float>&, int64_t, int64_t, float*);
template void ssd_scan_backward_blocks(const SsdScanBackward<double>&, int64_t, int64_t, double*);

}  // namespace farstate::kernels::FARSTATE_ISA
