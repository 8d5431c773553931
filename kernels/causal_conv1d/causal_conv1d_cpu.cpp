// SPDX-License-Identifier: GPL-3.0-or-later
// A task walks the positions of one batch row for kConvChannels neighbouring channels, whose
// weights, sums and gradients stay in the first cache. The backward pass computes pre again: one
// exp per element costs less than its memory.
#include "kernels/causal_conv1d/causal_conv1d.h"
#include "kernels/simd/lanes.h"
#include "kernels/simd/math.h"

namespace farstate::kernels::FARSTATE_ISA {
namespace {

// The channels of one task.
template <class Real>
struct Channels {
  int64_t b, c0, width;
  Real *weight, *grad_weight;  // [W,kConvChannels]
  Real *bias, *grad_bias;      // [kConvChannels]
  Real* pre;                   // [kConvChannels]
  Real* zeros;                 // [kConvChannels]
  int64_t size;

  Channels(const CausalConv1dSizes& s, Real* scratch) {
    Carver<Real> carve{scratch};
    weight = carve.take(s.W * kConvChannels);
    grad_weight = carve.take(s.W * kConvChannels);
    bias = carve.take(kConvChannels);
    grad_bias = carve.take(kConvChannels);
    pre = carve.take(kConvChannels);
    zeros = carve.take(kConvChannels);
    size = carve.used;
  }

  void begin(const CausalConv1dInputs<Real>& in, int64_t task) {
    const CausalConv1dSizes& s = in.sizes;
    const int64_t per_row = (s.C + kConvChannels - 1) / kConvChannels;
    b = task / per_row;
    c0 = task % per_row * kConvChannels;
    width = smaller(kConvChannels, s.C - c0);
    for (int64_t c = 0; c < kConvChannels; ++c) {
      const bool used = c < width;
      bias[c] = used && in.bias != nullptr ? in.bias[c0 + c] : Real(0);
      zeros[c] = grad_bias[c] = 0;
      for (int64_t w = 0; w < s.W; ++w) {
        weight[w * kConvChannels + c] = used ? in.weight[(c0 + c) * s.W + w] : Real(0);
        grad_weight[w * kConvChannels + c] = 0;
      }
    }
  }
};

// Row t of u; of the context where t < 0.
template <class Real>
FARSTATE_INLINE const Real* input_row(const CausalConv1dInputs<Real>& in, const Channels<Real>& ch,
                                      int64_t t) {
  if (t >= 0) return in.u + ch.b * in.u_stride_b + t * in.u_stride_t + ch.c0;
  if (in.context == nullptr) return ch.zeros;
  const int64_t kept = in.sizes.W - 1;
  return in.context + (ch.b * kept + kept + t) * in.sizes.C + ch.c0;
}

// pre_t of the task's channels.
template <class Real>
FARSTATE_INLINE void convolve(const CausalConv1dInputs<Real>& in, const Channels<Real>& ch,
                              int64_t t) {
  const Real* before = ch.bias;
  for (int64_t w = 0; w < in.sizes.W; ++w) {
    const Real* const row = input_row(in, ch, t - (in.sizes.W - 1) + w);
    const Real* const weight = ch.weight + w * kConvChannels;
    for_each_vector<Real>(ch.width, [&](int64_t i, int64_t used) {
      store<Real>(ch.pre + i, load(before + i) + load(weight + i) * load_first(row + i, used));
    });
    before = ch.pre;
  }
}

template <class Real>
void forward_channels(const CausalConv1dForward<Real>& args, const Channels<Real>& ch) {
  const CausalConv1dInputs<Real>& in = args.in;
  const auto [B, T, C, W] = in.sizes;
  for (int64_t t = 0; t < T; ++t) {
    convolve(in, ch, t);
    Real* const y = args.y + (ch.b * T + t) * C + ch.c0;
    for_each_vector<Real>(ch.width, [&](int64_t i, int64_t used) {
      const Vec<Real> pre = load(ch.pre + i);
      store_first<Real>(y + i, pre * sigmoid<Real>(pre), used);
    });
  }
  for (int64_t i = 0; i < W - 1; ++i) {
    const Real* row = input_row(in, ch, T - (W - 1) + i);
    Real* to = args.new_context + (ch.b * (W - 1) + i) * C + ch.c0;
    for (int64_t c = 0; c < ch.width; ++c) to[c] = row[c];
  }
}

// Where the gradient of input_row(t) belongs.
template <class Real>
FARSTATE_INLINE Real* grad_row(const CausalConv1dBackward<Real>& args, const Channels<Real>& ch,
                               int64_t t) {
  const CausalConv1dSizes& s = args.in.sizes;
  const int64_t kept = s.W - 1;
  return t >= 0 ? args.grad_u + (ch.b * s.T + t) * s.C + ch.c0
                : args.grad_context + (ch.b * kept + kept + t) * s.C + ch.c0;
}

// Before any position: what the new context, a copy of the last W-1 inputs, brings.
template <class Real>
void begin_input_gradients(const CausalConv1dBackward<Real>& args, const Channels<Real>& ch) {
  const auto [B, T, C, W] = args.in.sizes;
  for (int64_t t = -(W - 1); t < T; ++t) {
    Real* const grad = grad_row(args, ch, t);
    const int64_t kept = t - (T - (W - 1));  // its place in the new context
    const Real* from = args.grad_new_context == nullptr || kept < 0
                           ? ch.zeros
                           : args.grad_new_context + (ch.b * (W - 1) + kept) * C + ch.c0;
    for (int64_t c = 0; c < ch.width; ++c) grad[c] = from[c];
  }
}

template <class Real>
void backward_channels(const CausalConv1dBackward<Real>& args, const Channels<Real>& ch) {
  const CausalConv1dInputs<Real>& in = args.in;
  const auto [B, T, C, W] = in.sizes;
  begin_input_gradients(args, ch);
  for (int64_t t = 0; t < T; ++t) {
    const Real* const grad_y =
        args.grad_y + ch.b * args.grad_y_stride_b + t * args.grad_y_stride_t + ch.c0;
    convolve(in, ch, t);
    Real* const grad_pre = ch.pre;  // in pre's place
    for_each_vector<Real>(ch.width, [&](int64_t i, int64_t used) {
      const Vec<Real> pre = load(ch.pre + i), gate = sigmoid<Real>(pre);
      const Vec<Real> grad =
          load_first(grad_y + i, used) * gate * (pre * (Real(1) - gate) + Real(1));
      store<Real>(grad_pre + i, grad);
      store<Real>(ch.grad_bias + i, load(ch.grad_bias + i) + grad);
    });
    for (int64_t w = 0; w < W; ++w) {
      const int64_t source = t - (W - 1) + w;
      const Real* const u = input_row(in, ch, source);
      Real* const grad_u = grad_row(args, ch, source);
      const Real* const weight = ch.weight + w * kConvChannels;
      Real* const grad_weight = ch.grad_weight + w * kConvChannels;
      for_each_vector<Real>(ch.width, [&](int64_t i, int64_t used) {
        const Vec<Real> grad = load(grad_pre + i);
        store<Real>(grad_weight + i, load(grad_weight + i) + grad * load_first(u + i, used));
        store_first<Real>(grad_u + i, load_first(grad_u + i, used) + load(weight + i) * grad, used);
      });
    }
  }
  for (int64_t c = 0; c < ch.width; ++c) {
    args.grad_bias[ch.b * C + ch.c0 + c] = ch.grad_bias[c];
    for (int64_t w = 0; w < W; ++w) {
      args.grad_weight[(ch.b * C + ch.c0 + c) * W + w] = ch.grad_weight[w * kConvChannels + c];
    }
  }
}

}  // namespace

template <class Real>
int64_t causal_conv1d_scratch(const CausalConv1dSizes& sizes) {
  return Channels<Real>(sizes, nullptr).size;
}

template <class Real>
void causal_conv1d_forward(const CausalConv1dForward<Real>& args, int64_t begin, int64_t end,
                           Real* scratch) {
  Channels<Real> channels(args.in.sizes, scratch);
  for (int64_t task = begin; task < end; ++task) {
    channels.begin(args.in, task);
    forward_channels(args, channels);
  }
}

template <class Real>
void causal_conv1d_backward(const CausalConv1dBackward<Real>& args, int64_t begin, int64_t end,
                            Real* scratch) {
  Channels<Real> channels(args.in.sizes, scratch);
  for (int64_t task = begin; task < end; ++task) {
    channels.begin(args.in, task);
    backward_channels(args, channels);
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
