// SPDX-License-Identifier: GPL-3.0-or-later
// Depthwise causal convolution and SiLU on the device, forward and backward (equations:
// causal_conv1d.h). Both are bound by memory: 2 W + 6 operations an element against 8 bytes.
//
// Version ladder, bytes of global memory per element of [B,T,C] at W = 4:
//   forward   1. a thread per element reads W inputs, W - 1 of them from a cache   8 + 12 cached
//             2. a thread walks 32 positions, the last W - 1 inputs in registers   8 + 0.4 cached
//             3. of four neighbouring channels where alignment allows: a quarter of the loads
//   backward  1. gradients of pre written and read again by a second kernel        28
//             2. a block owns 8 channels of a batch row for all positions: the gradients of the
//                last W - 1 positions wait in shared memory, the sums over T in registers    12
//             3. the next positions are on their way while these are worked on
// A backward block reads 32 bytes at a time, the sector in which the memory moves them; so few
// channels give B C / 8 blocks, enough for a device at one long batch row.
#include "kernels/causal_conv1d/causal_conv1d_cuda.h"
#include "kernels/cuda/device.h"
#include "kernels/cuda/pack.h"

namespace farstate::kernels::cuda {
namespace {

using Inputs = CausalConv1dInputs<float>;

// The input at position t >= -(W-1) of batch row b, channel c; null where it is zero.
__device__ __forceinline__ const float* input_at(const Inputs& in, int64_t b, int64_t t,
                                                 int64_t c) {
  if (t >= 0) return in.u + b * in.u_stride_b + t * in.u_stride_t + c;
  if (in.context == nullptr) return nullptr;
  const int64_t kept = in.sizes.W - 1;
  return in.context + (b * kept + kept + t) * in.sizes.C + c;
}

// ----- forward

constexpr int kForwardThreads = 128;
constexpr int kForwardPositions = 32;

// Of a block: threads side by side have neighbouring channels.
struct ForwardTile {
  int64_t b, t_begin, t_end, c;

  template <int kChannels>
  __device__ __forceinline__ static ForwardTile of_thread(const CausalConv1dSizes& s) {
    const int64_t across = ceil_div(s.C, kForwardThreads * kChannels);
    const int64_t along = ceil_div(s.T, kForwardPositions);
    const int64_t block = blockIdx.x, t = block / across % along * kForwardPositions;
    const int64_t c = (block % across * kForwardThreads + threadIdx.x) * kChannels;
    return {block / across / along, t, t + kForwardPositions < s.T ? t + kForwardPositions : s.T,
            c};
  }
};

template <int kChannels>
__device__ __forceinline__ void write_new_context(const CausalConv1dForward<float>& args,
                                                  int64_t b, int64_t c) {
  const CausalConv1dSizes& s = args.in.sizes;
  for (int64_t kept = 0; kept < s.W - 1; ++kept) {
    store_pack(args.new_context + (b * (s.W - 1) + kept) * s.C + c,
               load_pack_or_zero<kChannels>(input_at(args.in, b, s.T - (s.W - 1) + kept, c)));
  }
}

// Four taps, the usual width: weights and the last inputs in registers.
template <int kChannels>
class FourTaps {
 public:
  __device__ __forceinline__ FourTaps(const Inputs& in, const ForwardTile& at)
      : in_(in), at_(at), bias_(load_pack_or_zero<kChannels>(in.bias ? in.bias + at.c : nullptr)) {
    for (int i = 0; i < kChannels; ++i) {
      for (int w = 0; w < 4; ++w) weight_[w].of[i] = in.weight[(at.c + i) * 4 + w];
    }
    for (int w = 0; w < 3; ++w) {
      last_[w] = load_pack_or_zero<kChannels>(input_at(in, at.b, at.t_begin - 3 + w, at.c));
    }
  }

  // pre_t; t goes up by one from call to call.
  __device__ __forceinline__ Pack<kChannels> next(int64_t t) {
    const Pack<kChannels> u = load_pack<kChannels>(input_at(in_, at_.b, t, at_.c));
    Pack<kChannels> pre = bias_;
    for (int i = 0; i < kChannels; ++i) {
      for (int w = 0; w < 3; ++w) pre.of[i] += weight_[w].of[i] * last_[w].of[i];
      pre.of[i] += weight_[3].of[i] * u.of[i];
    }
    last_[0] = last_[1];
    last_[1] = last_[2];
    last_[2] = u;
    return pre;
  }

 private:
  const Inputs& in_;
  const ForwardTile& at_;
  Pack<kChannels> bias_, weight_[4], last_[3];
};

// Any number of taps, every input from memory.
class AnyTaps {
 public:
  __device__ __forceinline__ AnyTaps(const Inputs& in, const ForwardTile& at) : in_(in), at_(at) {}

  __device__ __forceinline__ Pack<1> next(int64_t t) {
    const int64_t W = in_.sizes.W;
    float pre = in_.bias == nullptr ? 0.0f : in_.bias[at_.c];
    for (int64_t w = 0; w < W; ++w) {
      const float* const u = input_at(in_, at_.b, t - (W - 1) + w, at_.c);
      if (u != nullptr) pre += in_.weight[at_.c * W + w] * *u;
    }
    return {{pre}};
  }

 private:
  const Inputs& in_;
  const ForwardTile& at_;
};

template <int kChannels, class Taps>
__global__ void __launch_bounds__(kForwardThreads)
    conv_forward_kernel(CausalConv1dForward<float> args) {
  const CausalConv1dSizes& s = args.in.sizes;
  const ForwardTile at = ForwardTile::of_thread<kChannels>(s);
  if (at.c >= s.C) return;
  Taps taps(args.in, at);
  for (int64_t t = at.t_begin; t < at.t_end; ++t) {
    Pack<kChannels> y = taps.next(t);
    for (int i = 0; i < kChannels; ++i) y.of[i] *= sigmoid(y.of[i]);
    store_pack(args.y + (at.b * s.T + t) * s.C + at.c, y);
  }
  if (at.t_end == s.T) write_new_context<kChannels>(args, at.b, at.c);
}

template <int kChannels, class Taps>
void launch_forward(const CausalConv1dForward<float>& args, Stream stream) {
  const CausalConv1dSizes& s = args.in.sizes;
  const int64_t across = ceil_div(s.C, kForwardThreads * kChannels);
  launch<conv_forward_kernel<kChannels, Taps>>(
      Grid{s.B * ceil_div(s.T, kForwardPositions) * across}, kForwardThreads, 0, stream, args);
}

bool forward_in_packs(const CausalConv1dForward<float>& args) {
  const Inputs& in = args.in;
  const int64_t C = in.sizes.C;
  return packs_of_four(in.u, in.u_stride_t) && packs_of_four(in.u, in.u_stride_b) &&
         packs_of_four(in.bias, C) && packs_of_four(in.context, C) && packs_of_four(args.y, C) &&
         packs_of_four(args.new_context, C);
}

// ----- backward

constexpr int kChannels = 8;                              // of a block
constexpr int kPositions = 32;                            // worked on at a time
constexpr int kBackwardThreads = kChannels * kPositions;  // one for each of them
constexpr int kTaps = 4;  // whose sums a thread keeps: of more, each launch takes as many
constexpr int kSums = kTaps + 1;

// The last positions of a block's channels: position t lies in row t mod rows, a power of two.
struct Ring {
  SharedArray<float> values;
  int last_row;  // rows - 1

  __device__ __forceinline__ auto at(int64_t t, int channel) const
      -> decltype(values[0]) {
    return values[static_cast<int>(t & last_row) * kChannels + channel];
  }
};

// Rows for the positions that are worked on and the W - 1 before them.
int64_t ring_rows(int64_t W) {
  int64_t rows = 1;
  while (rows < kPositions + W - 1) rows *= 2;
  return rows;
}

// The gradient's place of the input at t >= -(W-1).
__device__ __forceinline__ float* grad_input_at(const CausalConv1dBackward<float>& args, int64_t b,
                                                int64_t t, int64_t c) {
  const CausalConv1dSizes& s = args.in.sizes;
  return t >= 0 ? args.grad_u + (b * s.T + t) * s.C + c
                : args.grad_context + (b * (s.W - 1) + s.W - 1 + t) * s.C + c;
}

// What the new context, a copy of the last W-1 inputs, brings to the input at t.
__device__ __forceinline__ float from_new_context(const CausalConv1dBackward<float>& args,
                                                  int64_t b, int64_t t, int64_t c) {
  const CausalConv1dSizes& s = args.in.sizes;
  const int64_t kept = t - (s.T - (s.W - 1));
  if (kept < 0 || args.grad_new_context == nullptr) return 0;
  return args.grad_new_context[(b * (s.W - 1) + kept) * s.C + c];
}

// Adds up each channel's sums over the positions' threads and writes them.
__device__ __forceinline__ void write_sums(const CausalConv1dBackward<float>& args,
                                           SharedArray<float> partial, float (&sums)[kSums],
                                           int64_t b, int64_t c_first, int64_t first_tap) {
  constexpr int warps = kBackwardThreads / kWarp;
  const CausalConv1dSizes& s = args.in.sizes;
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = 0; i < kSums; ++i) {
    for (int lanes = kWarp / 2; lanes >= kChannels; lanes /= 2) {
      sums[i] += __shfl_xor_sync(kFullMask, sums[i], lanes);
    }
    if (thread % kWarp < kChannels) {
      partial[(i * warps + thread / kWarp) * kChannels + thread % kWarp] = sums[i];
    }
  }
  __syncthreads();
  const int i = thread / kChannels, channel = thread % kChannels;
  const int64_t c = c_first + channel, w = first_tap + i;
  if (i >= kSums || c >= s.C) return;
  float sum = 0;
  for (int warp = 0; warp < warps; ++warp) sum += partial[(i * warps + warp) * kChannels + channel];
  if (i == kTaps) {
    if (first_tap == 0) args.grad_bias[b * s.C + c] = sum;
  } else if (w < s.W) {
    args.grad_weight[(b * s.C + c) * s.W + w] = sum;
  }
}

// All positions of kChannels channels of a batch row; the sums of the taps from first_tap on, and
// with the first of them everything else.
template <int kWidth>  // W, or 0: any
__global__ void __launch_bounds__(kBackwardThreads)
    conv_backward_kernel(CausalConv1dBackward<float> args, int64_t first_tap, int rows) {
  const Inputs& in = args.in;
  const int64_t T = in.sizes.T, C = in.sizes.C, W = kWidth == 0 ? in.sizes.W : kWidth;
  const int channel = static_cast<int>(threadIdx.x) % kChannels;
  const int position = static_cast<int>(threadIdx.x) / kChannels;
  const int64_t across = ceil_div(C, kChannels), b = blockIdx.x / across;
  const int64_t c_first = blockIdx.x % across * kChannels, c = c_first + channel;
  const bool used = c < C;

  SharedCarver shared;
  const Ring u{shared.take<float>(rows * kChannels), rows - 1};
  const Ring grad_pre{shared.take<float>(rows * kChannels), rows - 1};
  const SharedArray<float> weight = shared.take<float>(static_cast<int>(W) * kChannels);
  const SharedArray<float> partial = shared.take<float>(kSums * kBackwardThreads / kWarp * kChannels);

  for (int64_t w = position; w < W; w += kPositions) {
    weight[static_cast<int>(w) * kChannels + channel] = used ? in.weight[c * W + w] : 0.0f;
  }
  for (int64_t t = position - (W - 1); t < 0; t += kPositions) {
    const float* const from = used ? input_at(in, b, t, c) : nullptr;
    u.at(t, channel) = from == nullptr ? 0.0f : *from;
    grad_pre.at(t, channel) = 0.0f;
  }
  const float bias = used && in.bias != nullptr ? in.bias[c] : 0.0f;
  float sums[kSums] = {};

  // Position t brings the gradient of pre_t, which completes that of the input at t - (W-1); so
  // the walk ends W-1 positions behind the last.
  const auto load = [&](int64_t t, float& u_t, float& grad_y_t) {
    const bool exists = used && t < T;
    u_t = exists ? *input_at(in, b, t, c) : 0.0f;
    grad_y_t =
        exists ? args.grad_y[b * args.grad_y_stride_b + t * args.grad_y_stride_t + c] : 0.0f;
  };
  float u_t, grad_y_t;
  load(position, u_t, grad_y_t);
  for (int64_t t = position; t - position < T + W - 1; t += kPositions) {
    u.at(t, channel) = u_t;
    const float grad_y_now = grad_y_t;
    load(t + kPositions, u_t, grad_y_t);
    __syncthreads();

    float pre = bias;
    for (int64_t w = 0; w < W; ++w) {
      pre += weight[static_cast<int>(w) * kChannels + channel] * u.at(t - (W - 1) + w, channel);
    }
    const float gate = sigmoid(pre);
    const float grad = grad_y_now * gate * (pre * (1 - gate) + 1);
    grad_pre.at(t, channel) = grad;
    for (int i = 0; i < kTaps; ++i) {
      const int64_t w = first_tap + i;
      if (w < W) sums[i] += grad * u.at(t - (W - 1) + w, channel);
    }
    sums[kTaps] += grad;
    __syncthreads();

    const int64_t source = t - (W - 1);
    if (first_tap == 0 && used && source < T) {
      float grad_u = from_new_context(args, b, source, c);
      for (int64_t w = 0; w < W; ++w) {
        grad_u += weight[static_cast<int>(w) * kChannels + channel] * grad_pre.at(t - w, channel);
      }
      *grad_input_at(args, b, source, c) = grad_u;
    }
  }
  write_sums(args, partial, sums, b, c_first, first_tap);
}

template <int kWidth>
void launch_backward(const CausalConv1dBackward<float>& args, Stream stream) {
  const CausalConv1dSizes& s = args.in.sizes;
  const int64_t rows = ring_rows(s.W);
  const int64_t shared = 2 * shared_bytes<float>(rows * kChannels) +
                         shared_bytes<float>(s.W * kChannels) +
                         shared_bytes<float>(kSums * kBackwardThreads / kWarp * kChannels);
  for (int64_t first_tap = 0; first_tap < s.W; first_tap += kTaps) {
    launch<conv_backward_kernel<kWidth>>(Grid{s.B * ceil_div(s.C, kChannels)}, kBackwardThreads,
                                         shared, stream, args, first_tap, static_cast<int>(rows));
  }
}

}  // namespace

void causal_conv1d_forward(const CausalConv1dForward<float>& args, Stream stream) {
  if (args.in.sizes.W != 4) return launch_forward<1, AnyTaps>(args, stream);
  if (forward_in_packs(args)) return launch_forward<4, FourTaps<4>>(args, stream);
  launch_forward<1, FourTaps<1>>(args, stream);
}

void causal_conv1d_backward(const CausalConv1dBackward<float>& args, Stream stream) {
  if (args.in.sizes.W == 4) return launch_backward<4>(args, stream);
  launch_backward<0>(args, stream);
}

}  // namespace farstate::kernels::cuda
