// SPDX-License-Identifier: GPL-3.0-or-later
// The loss of a block of logits and its gradient (cross_entropy_cuda.h), a block of threads per row. Bound
// by memory.
//
// Version ladder, bytes of global memory per logit:
//   forward   1. largest, then sum of exponentials, then the loss: two passes        8
//             2. one pass: a thread keeps its largest logit so far and the sum of exponentials
//                relative to it, rescaled when the largest grows (Milakov and Gimelshein 2018,
//                arXiv:1805.02867)                                                    4
//   backward  1. softmax from the kept log-sum-exp, in the logits' place: one pass   8
// Logits in packs of four where the rows' alignment allows; V = 50288 does.
#include "kernels/cuda/device.h"
#include "kernels/cuda/pack.h"
#include "kernels/cuda/reduce.h"
#include "kernels/cross_entropy/cross_entropy_cuda.h"

namespace farstate::kernels::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarp;

// sum_i exp(x_i) as exp(largest) * sum. Empty: largest = -inf, sum = 0.
struct ExpSum {
  float largest = -INFINITY, sum = 0;

  // -inf adds nothing; a NaN stays one in the sum.
  __device__ __forceinline__ void add(float x) {
    if (x <= largest) {
      if (largest != -INFINITY) sum += expf(x - largest);
    } else {
      sum = sum * expf(largest - x) + 1.0f;
      largest = x;
    }
  }
};

template <int kPack>
__global__ void __launch_bounds__(kThreads) nll_forward_kernel(NllBlock block) {
  const int64_t row = blockIdx.x, V = block.V;
  const float* const logits = block.logits + row * V;
  ExpSum mine;
  for (int64_t v = static_cast<int64_t>(threadIdx.x) * kPack; v < V; v += kThreads * kPack) {
    const auto pack = load_pack<kPack>(logits + v);
    for (int i = 0; i < kPack; ++i) mine.add(pack.of[i]);
  }
  SharedCarver shared;
  const SharedArray<float> partial = shared.take<float>(kWarps);
  const float largest = block_reduce<kThreads>(mine.largest, partial, Larger());
  const float scaled = mine.sum == 0.0f ? 0.0f : mine.sum * expf(mine.largest - largest);
  const float sum = block_sum<kThreads>(scaled, partial);
  if (threadIdx.x != 0) return;
  const float log_sum_exp = largest + logf(sum);
  block.log_sum_exp[row] = log_sum_exp;
  block.nll[row] = log_sum_exp - logits[block.targets[row]];
}

template <int kPack>
__global__ void __launch_bounds__(kThreads) nll_backward_kernel(NllBlock block) {
  const int64_t row = blockIdx.x, V = block.V, target = block.targets[row];
  const float log_sum_exp = block.log_sum_exp[row], grad_nll = block.grad_nll[row];
  float* const logits = block.logits + row * V;
  for (int64_t v = static_cast<int64_t>(threadIdx.x) * kPack; v < V; v += kThreads * kPack) {
    auto pack = load_pack<kPack>(logits + v);
    for (int i = 0; i < kPack; ++i) {
      const float softmax = expf(pack.of[i] - log_sum_exp);
      pack.of[i] = (v + i == target ? softmax - 1.0f : softmax) * grad_nll;
    }
    store_pack(logits + v, pack);
  }
}

}  // namespace

void nll_forward(const NllBlock& block, Stream stream) {
  const auto kernel_launch = packs_of_four(block.logits, block.V)
                                 ? launch<nll_forward_kernel<4>, NllBlock>
                                 : launch<nll_forward_kernel<1>, NllBlock>;
  kernel_launch(Grid{block.R}, kThreads, shared_bytes<float>(kWarps), stream, block);
}

void nll_backward(const NllBlock& block, Stream stream) {
  const auto kernel_launch = packs_of_four(block.logits, block.V)
                                 ? launch<nll_backward_kernel<4>, NllBlock>
                                 : launch<nll_backward_kernel<1>, NllBlock>;
  kernel_launch(Grid{block.R}, kThreads, 0, stream, block);
}

}  // namespace farstate::kernels::cuda
