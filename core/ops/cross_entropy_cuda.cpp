// SPDX-License-Identifier: GPL-3.0-or-later
// The loss of a block of logits by our CUDA kernels.
#include "core/ops/cuda_call.h"
#include "core/ops/on_device.h"
#include "kernels/cross_entropy/cross_entropy_cuda.h"

namespace farstate::ops {
namespace {

// The tensors outlive the call that reads the block.
kernels::cuda::NllBlock block_of(const NllBlock& block) {
  kernels::cuda::NllBlock args;
  args.R = block.logits.size(0);
  args.V = block.logits.size(1);
  args.logits = block.logits.data_ptr<float>();
  args.targets = block.targets.data_ptr<int64_t>();
  args.log_sum_exp = block.log_sum_exp.data_ptr<float>();
  return args;
}

}  // namespace

void nll_forward_cuda(const NllBlock& block, const torch::Tensor& nll) {
  kernels::cuda::NllBlock args = block_of(block);
  args.nll = nll.data_ptr<float>();
  const CudaCall call(block.logits);
  kernels::cuda::nll_forward(args, call.stream());
}

void nll_backward_cuda(const NllBlock& block, const torch::Tensor& grad_nll) {
  kernels::cuda::NllBlock args = block_of(block);
  args.grad_nll = grad_nll.data_ptr<float>();
  const CudaCall call(block.logits);
  kernels::cuda::nll_backward(args, call.stream());
}

}  // namespace farstate::ops
