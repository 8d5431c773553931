// SPDX-License-Identifier: GPL-3.0-or-later
// A task walks some positions of one batch row, all channels of a position after one another: whole
// rows, which the processor fetches ahead. The backward pass computes pre again: one exp per element
// costs less than its memory. With p_t the gradient of pre_t, grad_u_s is the sum over w of
// weight[:,w] p_{s+(W-1)-w}: it follows W - 1 positions behind p, and a task computes p of the first
// W - 1 positions of the next task too.
//
// What each step bought (float, B 4, T 512, C 256, W 4, one core with AVX2), ns per element:
//   1  tasks of 64 channels and all positions, a pass over them per tap    forward 1.6, backward 3.4
//   2  taps in registers: nothing, it was the memory that took the time    forward 1.6, backward 3.5
//   3  tasks of whole rows                                                 forward 1.0, backward 1.9
#include "kernels/causal_conv1d/causal_conv1d.h"
#include "kernels/simd/lanes.h"
#include "kernels/simd/math.h"

namespace farstate::kernels::FARSTATE_ISA {
namespace {

template <class Real>
struct ConvScratch {
  int64_t C;                   // length of rows
  Real *weight, *grad_weight;  // [W,C]
  Real *bias, *grad_bias;      // [C]
  Real* early;                 // [2(W-1),C]  the context, then u_0, …, u_{W-2}
  Real* grad_pre;              // [W,C]  of the last W positions, position t in row t mod W
  int64_t size;

  ConvScratch(const CausalConv1dSizes& s, Real* scratch) : C(round_up(s.C, kLanes<Real>)) {
    Carver<Real> carve{scratch};
    weight = carve.take(s.W * C);
    grad_weight = carve.take(s.W * C);
    bias = carve.take(C);
    grad_bias = carve.take(C);
    early = carve.take(2 * s.W * C);
    grad_pre = carve.take(s.W * C);
    size = carve.used;
  }
};

template <class Real>
void turn_weights(const CausalConv1dInputs<Real>& in, const ConvScratch<Real>& w) {
  const CausalConv1dSizes& s = in.sizes;
  for (int64_t c = 0; c < w.C; ++c) {
    const bool used = c < s.C;
    w.bias[c] = used && in.bias != nullptr ? in.bias[c] : Real(0);
    for (int64_t i = 0; i < s.W; ++i) w.weight[i * w.C + c] = used ? in.weight[c * s.W + i] : Real(0);
  }
}

// Positions [begin, end) of batch row b.
struct Stretch {
  int64_t b, begin, end;
};

FARSTATE_INLINE Stretch stretch_of(const CausalConv1dSizes& s, int64_t task) {
  const int64_t per_row = (s.T + kConvPositions - 1) / kConvPositions;
  const int64_t begin = task % per_row * kConvPositions;
  return {task / per_row, begin, smaller(begin + kConvPositions, s.T)};
}

// For positions whose taps reach into the context.
template <class Real>
void copy_early_rows(const CausalConv1dInputs<Real>& in, int64_t b, const ConvScratch<Real>& w) {
  const CausalConv1dSizes& s = in.sizes;
  const int64_t kept = s.W - 1;
  for (int64_t t = -kept; t < smaller(kept, s.T); ++t) {
    const Real* from = in.u + b * in.u_stride_b + t * in.u_stride_t;
    if (t < 0) from = in.context == nullptr ? nullptr : in.context + (b * kept + kept + t) * s.C;
    Real* const to = w.early + (kept + t) * w.C;
    for (int64_t c = 0; c < s.C; ++c) to[c] = from == nullptr ? Real(0) : from[c];
  }
}

// Rows u_{t-(W-1)}, …, u_t.
template <class Real>
struct Taps {
  const Real* first;
  int64_t stride;
};

template <class Real>
FARSTATE_INLINE Taps<Real> taps_of(const CausalConv1dInputs<Real>& in, const ConvScratch<Real>& w,
                                   int64_t b, int64_t t) {
  const int64_t oldest = t - (in.sizes.W - 1);
  if (oldest < 0) return {w.early + t * w.C, w.C};
  return {in.u + b * in.u_stride_b + oldest * in.u_stride_t, in.u_stride_t};
}

// The number of taps, where the code knows it beforehand.
template <int kW>
FARSTATE_INLINE int64_t taps_count(const CausalConv1dSizes& s) {
  return kW > 0 ? kW : s.W;
}

// pre of one vector of channels.
template <class Real>
FARSTATE_INLINE Vec<Real> convolve(const ConvScratch<Real> w, const Taps<Real> taps, int64_t W,
                                   int64_t c, int64_t used) {
  Vec<Real> pre = load(w.bias + c);
#pragma GCC unroll 4
  for (int64_t i = 0; i < W; ++i) {
    pre += load(w.weight + i * w.C + c) * load_first(taps.first + i * taps.stride + c, used);
  }
  return pre;
}

template <class Real, int kW>
void forward_stretch(const CausalConv1dForward<Real>& args, const Stretch at,
                     const ConvScratch<Real>& w) {
  const CausalConv1dInputs<Real>& in = args.in;
  const CausalConv1dSizes& s = in.sizes;
  const int64_t W = taps_count<kW>(s);
  if (at.begin < W - 1 || s.T < W - 1) copy_early_rows(in, at.b, w);
  for (int64_t t = at.begin; t < at.end; ++t) {
    const Taps<Real> taps = taps_of(in, w, at.b, t);
    Real* const y = args.y + (at.b * s.T + t) * s.C;
    for_each_vector<Real>(s.C, [&, w = w](int64_t c, int64_t used) {
      const Vec<Real> pre = convolve(w, taps, W, c, used);
      store_first<Real>(y + c, pre * sigmoid<Real>(pre), used);
    });
  }
  if (at.end < s.T) return;
  // The new context is what position T would see of the past.
  const Taps<Real> last = taps_of(in, w, at.b, s.T);
  for (int64_t i = 0; i < W - 1; ++i) {
    Real* const to = args.new_context + (at.b * (W - 1) + i) * s.C;
    for (int64_t c = 0; c < s.C; ++c) to[c] = last.first[i * last.stride + c];
  }
}

// p_t, and if `counts` what it brings to the sums over positions.
template <class Real, int kW>
FARSTATE_INLINE void pre_gradient(const CausalConv1dBackward<Real>& args, int64_t b, int64_t t,
                                  bool counts, const ConvScratch<Real> w) {
  const CausalConv1dInputs<Real>& in = args.in;
  const int64_t W = taps_count<kW>(in.sizes);
  const Taps<Real> taps = taps_of(in, w, b, t);
  const Real* const grad_y = args.grad_y + b * args.grad_y_stride_b + t * args.grad_y_stride_t;
  Real* const grad_pre = w.grad_pre + t % W * w.C;
  for_each_vector<Real>(in.sizes.C, [&, w = w](int64_t c, int64_t used) {
    const Vec<Real> pre = convolve(w, taps, W, c, used), gate = sigmoid<Real>(pre);
    const Vec<Real> grad =
        load_first(grad_y + c, used) * gate * (pre * (Real(1) - gate) + Real(1));
    store<Real>(grad_pre + c, grad);
    if (!counts) return;
    store<Real>(w.grad_bias + c, load(w.grad_bias + c) + grad);
#pragma GCC unroll 4
    for (int64_t i = 0; i < W; ++i) {
      Real* const sum = w.grad_weight + i * w.C + c;
      store<Real>(sum, load(sum) + grad * load_first(taps.first + i * taps.stride + c, used));
    }
  });
}

// The gradient of u_s, of the context where s < 0, from p_s, …, p_{s+W-1} and from the new context,
// a copy of the last W - 1 inputs.
template <class Real, int kW>
FARSTATE_INLINE void input_gradient(const CausalConv1dBackward<Real>& args, int64_t b, int64_t s,
                                    const ConvScratch<Real> w) {
  const CausalConv1dSizes& sizes = args.in.sizes;
  const int64_t W = taps_count<kW>(sizes), kept = W - 1, C = sizes.C;
  Real* const to = s >= 0 ? args.grad_u + (b * sizes.T + s) * C
                          : args.grad_context + (b * kept + kept + s) * C;
  const int64_t place = s - (sizes.T - kept);  // in the new context
  const Real* const copy = args.grad_new_context == nullptr || place < 0
                               ? nullptr
                               : args.grad_new_context + (b * kept + place) * C;
  for_each_vector<Real>(C, [&, w = w](int64_t c, int64_t used) {
    Vec<Real> grad = copy == nullptr ? Vec<Real>{} : load_first(copy + c, used);
#pragma GCC unroll 4
    for (int64_t i = 0; i < W; ++i) {
      grad += load(w.weight + i * w.C + c) * load(w.grad_pre + (s + 2 * W - 1 - i) % W * w.C + c);
    }
    store_first<Real>(to + c, grad, used);
  });
}

template <class Real, int kW>
void backward_stretch(const CausalConv1dBackward<Real>& args, int64_t task, const Stretch at,
                      const ConvScratch<Real>& w) {
  const CausalConv1dSizes& s = args.in.sizes;
  const int64_t W = taps_count<kW>(s);
  set_zero(w.grad_weight, W * w.C);
  set_zero(w.grad_bias, w.C);
  set_zero(w.grad_pre, W * w.C);  // of positions before the first and behind the last
  if (at.begin < W - 1) copy_early_rows(args.in, at.b, w);
  for (int64_t t = at.begin; t < at.end + W - 1; ++t) {
    if (t < s.T) {
      pre_gradient<Real, kW>(args, at.b, t, t < at.end, w);
    } else {
      set_zero(w.grad_pre + t % W * w.C, w.C);
    }
    const int64_t behind = t - (W - 1);
    if (behind >= at.begin || at.begin == 0) input_gradient<Real, kW>(args, at.b, behind, w);
  }
  for (int64_t c = 0; c < s.C; ++c) {
    args.grad_bias[task * s.C + c] = w.grad_bias[c];
    for (int64_t i = 0; i < W; ++i) {
      args.grad_weight[(task * s.C + c) * W + i] = w.grad_weight[i * w.C + c];
    }
  }
}

}  // namespace

template <class Real>
int64_t causal_conv1d_scratch(const CausalConv1dSizes& sizes) {
  return ConvScratch<Real>(sizes, nullptr).size;
}

// Every Mamba-2 that is known of has 4 taps.
template <class Real>
void causal_conv1d_forward(const CausalConv1dForward<Real>& args, int64_t begin, int64_t end,
                           Real* scratch) {
  const CausalConv1dSizes& s = args.in.sizes;
  const ConvScratch<Real> w(s, scratch);
  turn_weights(args.in, w);
  for (int64_t task = begin; task < end; ++task) {
    if (s.W == 4) {
      forward_stretch<Real, 4>(args, stretch_of(s, task), w);
    } else {
      forward_stretch<Real, 0>(args, stretch_of(s, task), w);
    }
  }
}

template <class Real>
void causal_conv1d_backward(const CausalConv1dBackward<Real>& args, int64_t begin, int64_t end,
                            Real* scratch) {
  const CausalConv1dSizes& s = args.in.sizes;
  const ConvScratch<Real> w(s, scratch);
  turn_weights(args.in, w);
  for (int64_t task = begin; task < end; ++task) {
    if (s.W == 4) {
      backward_stretch<Real, 4>(args, task, stretch_of(s, task), w);
    } else {
      backward_stretch<Real, 0>(args, task, stretch_of(s, task), w);
    }
  }
}

template int64_t causal_conv1d_scratch<float>(const CausalConv1dSizes&);
template int64_t causal_conv1d_scratch<double>(const CausalConv1dSizes&);
template void causal_conv1d_forward(const CausalConv1dForward<float>&, int64_t, int64_t, float*);
template void causal_conv1d_forward(const CausalConv1dForward<double>&, int64_t, int64_t, double*);
template void causal_conv1d_backward(const CausalConv1dBackward<float>&, int64_t, int64_t, float*);
template void causal_conv1d_backward(const CausalConv1dBackward<double>&, int64_t, int64_t,
                                     double*);

}  // namespace farstate::kernels::FARSTATE_ISA
