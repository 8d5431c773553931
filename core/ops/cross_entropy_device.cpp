// SPDX-License-Identifier: GPL-3.0-or-later
// The head's loss off the CPU: blocks of rows whose logits exist at a time. With the CUDA kernel a
// block of logits is read once forward, and once backward where it becomes its own gradient.
#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/zeros_like.h>
#include <fmt/format.h>
#include <torch/csrc/autograd/custom_function.h>

#include "core/ops/backend.h"
#include "core/ops/on_device.h"
#include "core/ops/op_support.h"

namespace farstate::ops {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr char kOp[] = "head_nll";

// The head's weight as its products take it.
class Head {
 public:
  Head(const Tensor& weight, Compute compute) : rounds_(compute == Compute::kBFloat16) {
    weight_ = rounds_ ? bf16_operand(weight) : weight;
  }
  Tensor operand(const Tensor& rows) const { return rounds_ ? bf16_operand(rows) : rows; }
  Tensor times(const Tensor& a, const Tensor& b) const {
    return rounds_ ? bf16_product(a, b) : at::mm(a, b);
  }
  Tensor logits(const Tensor& hidden) const {
    if (!rounds_ && weight_.scalar_type() != hidden.scalar_type()) {
      return at::mm(hidden, weight_.to(hidden.scalar_type()).t());
    }
    return times(hidden, weight_.t());
  }
  Tensor grad_hidden(const Tensor& grad_logits) const { return times(grad_logits, weight_); }
  void add_grad_weight(const Tensor& sum, const Tensor& grad_logits, const Tensor& hidden) const {
    rounds_ ? add_bf16_product(sum, grad_logits.t(), hidden)
            : static_cast<void>(sum.addmm_(grad_logits.t(), hidden));
  }

 private:
  bool rounds_;
  Tensor weight_;  // [V,D]
};

struct Losses {
  Tensor nll, log_sum_exp;  // [R]
};

void nll_forward(const NllBlock& block, const Tensor& nll) {
  const Backend backend = use_backend(Operator::kHeadNll, block.logits);
  if constexpr (kHasCudaKernels) {
    if (backend == Backend::kCudaKernel) return nll_forward_cuda(block, nll);
  }
  const Tensor lse = block.logits.logsumexp(1);
  block.log_sum_exp.copy_(lse);
  nll.copy_(lse - block.logits.gather(1, block.targets.unsqueeze(1)).squeeze(1));
}

// d nll / d logits = softmax(logits) - one_hot(target)
void nll_backward(const NllBlock& block, const Tensor& grad_nll) {
  const Backend backend = use_backend(Operator::kHeadNll, block.logits);
  if constexpr (kHasCudaKernels) {
    if (backend == Backend::kCudaKernel) return nll_backward_cuda(block, grad_nll);
  }
  const Tensor grad = grad_nll.unsqueeze(1);
  block.logits.sub_(block.log_sum_exp.unsqueeze(1)).exp_().mul_(grad);
  block.logits.scatter_add_(1, block.targets.unsqueeze(1), -grad);
}

// Calls run(first row, rows) block by block.
template <class Run>
void for_each_block(int64_t rows_in_all, int64_t vocabulary, int64_t block_logits,
                    const Run& run) {
  const int64_t rows = std::max<int64_t>(1, block_logits / vocabulary);
  for (int64_t row = 0; row < rows_in_all; row += rows) {
    throw_if_stopped();
    run(row, std::min(rows, rows_in_all - row));
  }
}

Losses run_forward(const Tensor& hidden, const Tensor& weight, const Tensor& targets,
                   Compute compute, int64_t block_logits) {
  const Head head(weight, compute);
  const Losses all{at::empty({hidden.size(0)}, hidden.options()),
                   at::empty({hidden.size(0)}, hidden.options())};
  for_each_block(hidden.size(0), weight.size(0), block_logits, [&](int64_t row, int64_t rows) {
    nll_forward({head.logits(head.operand(hidden.narrow(0, row, rows))),
                 targets.narrow(0, row, rows), all.log_sum_exp.narrow(0, row, rows)},
                all.nll.narrow(0, row, rows));
  });
  return all;
}

class HeadNllOnDevice : public torch::autograd::Function<HeadNllOnDevice> {
 public:
  static Tensor forward(AutogradContext* ctx, const Tensor& hidden, const Tensor& weight,
                        const Tensor& targets, Compute compute, int64_t block_logits) {
    const Losses losses = run_forward(hidden, weight, targets, compute, block_logits);
    ctx->save_for_backward({hidden, weight, targets, losses.log_sum_exp});
    ctx->saved_data["block_logits"] = block_logits;
    ctx->saved_data["rounds"] = compute == Compute::kBFloat16;
    return losses.nll;
  }

  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    expect_first_derivative(kOp);
    const variable_list saved = ctx->get_saved_variables();
    const Tensor &hidden = saved[0], &weight = saved[1], &targets = saved[2], &lse = saved[3];
    const Tensor grad_nll = grads[0].contiguous();
    const Tensor grad_hidden = ctx->needs_input_grad(0) ? at::empty_like(hidden) : Tensor();
    const Tensor grad_weight = ctx->needs_input_grad(1) ? at::zeros_like(weight) : Tensor();
    const Head head(weight, ctx->saved_data["rounds"].toBool() ? Compute::kBFloat16
                                                               : Compute::kFloat32);
    for_each_block(hidden.size(0), weight.size(0), ctx->saved_data["block_logits"].toInt(),
                   [&](int64_t row, int64_t rows) {
      const Tensor hidden_rows = head.operand(hidden.narrow(0, row, rows));
      const NllBlock block{head.logits(hidden_rows), targets.narrow(0, row, rows),
                           lse.narrow(0, row, rows)};
      nll_backward(block, grad_nll.narrow(0, row, rows));
      const Tensor grad_logits = head.operand(block.logits);
      if (grad_hidden.defined()) {
        grad_hidden.narrow(0, row, rows).copy_(head.grad_hidden(grad_logits));
      }
      if (grad_weight.defined()) head.add_grad_weight(grad_weight, grad_logits, hidden_rows);
    });
    return {grad_hidden, grad_weight, Tensor(), Tensor(), Tensor()};
  }
};

}  // namespace

Tensor head_nll_on_device(const Tensor& hidden, const Tensor& weight, const Tensor& targets,
                          Compute compute, int64_t block_logits) {
  expect_real(kOp, "hidden", hidden, 2);
  expect(weight.defined() && weight.dim() == 2 && weight.size(1) == hidden.size(1) &&
             weight.device() == hidden.device(),
         kOp, fmt::format("weight [V,{}] on {}", hidden.size(1), hidden.device().str()),
         "another tensor");
  expect(targets.defined() && targets.dim() == 1 && targets.size(0) == hidden.size(0) &&
             targets.scalar_type() == at::kLong && targets.device() == hidden.device(),
         kOp, fmt::format("targets [{}] Long on {}", hidden.size(0), hidden.device().str()),
         "another tensor");
  if (block_logits == kHeadBlockLogits) block_logits = kDeviceBlockLogits;
  if (any_requires_grad({hidden, weight})) {
    return HeadNllOnDevice::apply(hidden, weight, targets.contiguous(), compute, block_logits);
  }
  return run_forward(hidden, weight, targets.contiguous(), compute, block_logits).nll;
}

}  // namespace farstate::ops
