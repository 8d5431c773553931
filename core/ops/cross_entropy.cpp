// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/cross_entropy.h"

#include <fmt/format.h>
#include <torch/csrc/autograd/custom_function.h>

#include "core/ops/linear.h"
#include "core/ops/op_support.h"

namespace farstate::ops {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr char kOp[] = "head_nll";

void check_operands(const Tensor& hidden, const Tensor& weight, const Tensor& targets) {
  expect_operand(kOp, "hidden", hidden, 2);
  expect(weight.defined() && weight.dim() == 2, kOp, "weight [V,D]", "another tensor");
  const int64_t R = hidden.size(0), V = weight.size(0);
  const bool narrow = weight.scalar_type() == torch::kBFloat16;  // linear() knows what to do
  expect_tensor(kOp, "weight", narrow ? weight.slice(0, 0, 0).to(hidden.scalar_type()) : weight,
                {narrow ? 0 : V, hidden.size(1)}, hidden);
  expect(targets.defined() && targets.dim() == 1 && targets.size(0) == R &&
             targets.scalar_type() == torch::kLong && targets.is_cpu(),
         kOp, fmt::format("targets [{}] Long on cpu", R), "another tensor");
  const Tensor contiguous = targets.contiguous();
  const int64_t* target = contiguous.data_ptr<int64_t>();
  for (int64_t row = 0; row < R; ++row) {
    if (target[row] >= 0 && target[row] < V) continue;
    expect(false, kOp, fmt::format("targets in [0, {})", V),
           fmt::format("{} in row {}", target[row], row));
  }
}

// Calls run(first row, rows) block by block.
template <class Run>
void for_each_block(const Tensor& hidden, const Tensor& weight, int64_t block_logits,
                    const Run& run) {
  const int64_t R = hidden.size(0);
  const int64_t rows = head_block_rows(weight.size(0), weight.size(1), block_logits);
  for (int64_t row = 0; row < R; row += rows) {
    throw_if_stopped();
    run(row, std::min(rows, R - row));
  }
}

// The head's products, by blocks of rows: of operands that are rounded, or as linear() makes them.
class Head {
 public:
  Head(const Tensor& weight, Compute compute)
      : rounds_(compute == Compute::kBFloat16), weight_(rounds_ ? bf16_operand(weight) : weight) {}

  // Hidden states, or gradients of logits, as the functions below take them.
  Tensor operand(const Tensor& rows) const { return rounds_ ? bf16_operand(rows) : rows; }

  Tensor logits(const Tensor& hidden) const {  // [R,D] -> [R,V]
    return rounds_ ? bf16_product(hidden, weight_.t()) : ops::linear(hidden, weight_);
  }
  Tensor grad_hidden(const Tensor& grad_logits) const {  // [R,V] -> [R,D]
    return rounds_ ? bf16_product(grad_logits, weight_) : grad_logits.mm(weight_);
  }
  void add_grad_weight(const Tensor& sum, const Tensor& grad_logits, const Tensor& hidden) const {
    if (rounds_) {
      add_bf16_product(sum, grad_logits.t(), hidden);
    } else {
      sum.addmm_(grad_logits.t(), hidden);
    }
  }

 private:
  bool rounds_;
  Tensor weight_;  // [V,D]
};

struct Losses {
  Tensor nll;          // [R]
  Tensor log_sum_exp;  // [R]
};

Losses run_forward(const Tensor& hidden, const Tensor& weight, const Tensor& targets,
                   Compute compute, int64_t block_logits) {
  const int64_t R = hidden.size(0);
  const Head head(weight, compute);
  const Losses losses{torch::empty({R}, hidden.options()), torch::empty({R}, hidden.options())};
  for_each_block(hidden, weight, block_logits, [&](int64_t row, int64_t rows) {
    const Tensor logits = head.logits(head.operand(hidden.narrow(0, row, rows)));
    const Tensor chosen = logits.gather(1, targets.narrow(0, row, rows).unsqueeze(1)).squeeze(1);
    const Tensor lse = logits.logsumexp(1);
    losses.log_sum_exp.narrow(0, row, rows).copy_(lse);
    losses.nll.narrow(0, row, rows).copy_(lse - chosen);
  });
  return losses;
}

class HeadNllFunction : public torch::autograd::Function<HeadNllFunction> {
 public:
  static Tensor forward(AutogradContext* ctx, const Tensor& hidden, const Tensor& weight,
                        const Tensor& targets, Compute compute, int64_t block_logits) {
    const Losses losses = run_forward(hidden, weight, targets, compute, block_logits);
    ctx->save_for_backward({hidden, weight, targets, losses.log_sum_exp});
    ctx->saved_data["block_logits"] = block_logits;
    ctx->saved_data["rounds"] = compute == Compute::kBFloat16;
    return losses.nll;
  }

  // d nll / d logits = softmax(logits) - one_hot(target)
  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    expect_first_derivative(kOp);
    const variable_list saved = ctx->get_saved_variables();
    const Tensor &hidden = saved[0], &weight = saved[1], &targets = saved[2], &lse = saved[3];
    const bool want_hidden = ctx->needs_input_grad(0), want_weight = ctx->needs_input_grad(1);
    const Tensor grad_hidden = want_hidden ? torch::empty_like(hidden) : Tensor();
    const Tensor grad_weight = want_weight ? torch::zeros_like(weight) : Tensor();
    const int64_t block_logits = ctx->saved_data["block_logits"].toInt();
    const Head head(weight, ctx->saved_data["rounds"].toBool() ? Compute::kBFloat16
                                                               : Compute::kFloat32);
    for_each_block(hidden, weight, block_logits, [&](int64_t row, int64_t rows) {
      const Tensor hidden_rows = head.operand(hidden.narrow(0, row, rows));
      const Tensor grad_nll = grads[0].narrow(0, row, rows).unsqueeze(1);
      Tensor grad_logits = head.logits(hidden_rows);
      grad_logits.sub_(lse.narrow(0, row, rows).unsqueeze(1)).exp_().mul_(grad_nll);
      grad_logits.scatter_add_(1, targets.narrow(0, row, rows).unsqueeze(1), -grad_nll);
      grad_logits = head.operand(grad_logits);
      if (want_hidden) grad_hidden.narrow(0, row, rows).copy_(head.grad_hidden(grad_logits));
      if (want_weight) head.add_grad_weight(grad_weight, grad_logits, hidden_rows);
    });
    return {grad_hidden, grad_weight, Tensor(), Tensor(), Tensor()};
  }
};

}  // namespace

// About 50 ms of work, since a stop is only noticed between blocks; but 64 rows, fewer would spend
// their time on reading the weights.
int64_t head_block_rows(int64_t V, int64_t D, int64_t block_logits) {
  constexpr double kOperationsPerBlock = 4e9;
  const auto in_time = static_cast<int64_t>(kOperationsPerBlock / (2.0 * double(V) * double(D)));
  return std::max<int64_t>(1, std::min(block_logits / V, std::max<int64_t>(64, in_time)));
}

Tensor head_nll(const Tensor& hidden, const Tensor& weight, const Tensor& targets,
                Compute compute, int64_t block_logits) {
  check_operands(hidden, weight, targets);
  if (any_requires_grad({hidden, weight})) {
    return HeadNllFunction::apply(hidden, weight, targets, compute, block_logits);
  }
  return run_forward(hidden, weight, targets, compute, block_logits).nll;
}

}  // namespace farstate::ops
