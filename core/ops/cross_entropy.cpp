// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/cross_entropy.h"

#include <fmt/format.h>
#include <torch/csrc/autograd/custom_function.h>

#include "core/ops/backend.h"
#include "core/ops/bf16_product.h"
#include "core/ops/matrix_product.h"
#include "core/ops/matrix_view.h"
#include "core/ops/on_device.h"
#include "core/ops/op_support.h"
#include "kernels/cross_entropy/cross_entropy.h"

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

struct Losses {
  Tensor nll;          // [R]
  Tensor log_sum_exp;  // [R]

  explicit Losses(const Tensor& hidden)
      : nll(torch::empty({hidden.size(0)}, hidden.options())),
        log_sum_exp(torch::empty({hidden.size(0)}, hidden.options())) {}
};

struct Gradients {
  Tensor hidden, weight;  // as given to head_nll(), undefined where nobody asks
};

// Rows whose losses are computed at a time: many to each reading of the weights.
int64_t rows_at_a_time(int64_t R, int64_t block_logits) {
  constexpr int64_t kRows = 2048;
  return std::clamp<int64_t>(block_logits, 1, std::clamp<int64_t>(R, 1, kRows));
}

// Calls run(first row, rows).
template <class Run>
void for_each_rows(int64_t R, int64_t rows, const Run& run) {
  for (int64_t row = 0; row < R; row += rows) run(row, std::min(rows, R - row));
}

template <class Real>
kernels::NllInputs<Real> kernel_inputs(const Tensor& hidden, const Tensor& weight,
                                       const Tensor& targets) {
  kernels::NllInputs<Real> in;
  in.sizes = {hidden.size(0), hidden.size(1), weight.size(0)};
  in.hidden = matrix_view<Real>(hidden);
  if (weight.scalar_type() == torch::kBFloat16) {
    in.narrow_weight = narrow_view(weight);
  } else {
    in.weight = matrix_view<Real>(weight);
  }
  in.targets = targets.const_data_ptr<int64_t>();
  return in;
}

// Per row: of each block of the vocabulary two numbers, and the target's logit.
int64_t parts_rows(int64_t R, int64_t V, int64_t D) {
  return 2 * kernels::nll_tasks({R, D, V}).column_blocks + 1;
}

Losses run_forward(const Tensor& hidden, const Tensor& weight, const Tensor& targets,
                   int64_t block_logits) {
  const int64_t R = hidden.size(0), D = hidden.size(1), V = weight.size(0);
  const Losses losses(hidden);
  for_each_rows(R, rows_at_a_time(R, block_logits), [&](int64_t row, int64_t rows) {
    const kernels::GemmTasks tasks = kernels::nll_tasks({rows, D, V});
    const Tensor parts = torch::empty({parts_rows(rows, V, D), rows}, hidden.options());
    with_real_type(hidden, [&](auto zero) {
      using Real = decltype(zero);
      kernels::NllForward<Real> args;
      args.in = kernel_inputs<Real>(hidden.narrow(0, row, rows), weight,
                                    targets.narrow(0, row, rows));
      args.block_max = parts.data_ptr<Real>();
      args.block_sum = args.block_max + tasks.column_blocks * rows;
      args.target_logit = args.block_sum + tasks.column_blocks * rows;
      for_each_gemm_task(tasks, D, [&](int64_t begin, int64_t end) {
        kernels::nll_forward(args, begin, end);
      });
      kernels::nll_combine(args, losses.log_sum_exp.data_ptr<Real>() + row,
                           losses.nll.data_ptr<Real>() + row);
    });
  });
  return losses;
}

// Gradients of some columns of the logits -> out [R,columns].
void compute_logit_gradients(const Tensor& hidden, const Tensor& weight, const Tensor& targets,
                             const Tensor& log_sum_exp, const Tensor& grad_nll, int64_t first,
                             const Tensor& out) {
  const int64_t D = hidden.size(1);
  const kernels::GemmTasks tasks = kernels::nll_tasks({hidden.size(0), D, out.size(1)});
  with_real_type(hidden, [&](auto zero) {
    using Real = decltype(zero);
    kernels::LogitGradients<Real> args;
    args.in = kernel_inputs<Real>(hidden, weight, targets);
    args.first = first;
    args.columns = out.size(1);
    args.log_sum_exp = log_sum_exp.const_data_ptr<Real>();
    args.grad_nll = grad_nll.const_data_ptr<Real>();
    args.out = out.data_ptr<Real>();
    args.out_stride = out.stride(0);
    for_each_gemm_task(tasks, D, [&](int64_t begin, int64_t end) {
      kernels::logit_gradients(args, begin, end);
    });
  });
}

// d nll / d logits = softmax(logits) - one_hot(target), for all rows and some of the vocabulary at a
// time: these few rows of the weight and of its gradient then stay in the cache for all products.
Gradients run_backward(const Tensor& hidden, const Tensor& weight, const Tensor& targets,
                       const Tensor& log_sum_exp, const Tensor& grad_nll, bool want_hidden,
                       bool want_weight, int64_t block_logits) {
  const int64_t R = hidden.size(0), V = weight.size(0);
  const Gradients grads{want_hidden ? torch::empty_like(hidden, at::MemoryFormat::Contiguous)
                                    : Tensor(),
                        want_weight ? torch::empty_like(weight, at::MemoryFormat::Contiguous)
                                    : Tensor()};
  const int64_t block = std::min(block_logits, kHeadSlabLogits);
  const int64_t rows_at_once = rows_at_a_time(R, block);
  const int64_t columns_at_once = std::clamp<int64_t>(block / rows_at_once, 1, V);
  const Tensor memory = torch::empty({rows_at_once * columns_at_once}, hidden.options());
  if (R == 0 && want_weight) grads.weight.zero_();
  for_each_rows(R, rows_at_once, [&](int64_t row, int64_t rows) {
    const Tensor hidden_rows = hidden.narrow(0, row, rows);
    for (int64_t v = 0; v < V; v += columns_at_once) {
      const int64_t columns = std::min(columns_at_once, V - v);
      const Tensor slab = memory.narrow(0, 0, rows * columns).view({rows, columns});
      compute_logit_gradients(hidden_rows, weight, targets.narrow(0, row, rows),
                              log_sum_exp.narrow(0, row, rows), grad_nll.narrow(0, row, rows), v,
                              slab);
      if (want_hidden) {
        const Tensor part = grads.hidden.narrow(0, row, rows);
        multiply_into(part, slab, weight.narrow(0, v, columns), v == 0 ? Tensor() : part);
      }
      if (want_weight) {
        const Tensor part = grads.weight.narrow(0, v, columns);
        multiply_into(part, slab.t(), hidden_rows, row == 0 ? Tensor() : part);
      }
    }
  });
  return grads;
}

// About 50 ms of work, since a stop is only noticed between blocks; but 64 rows, fewer would spend
// their time on reading the weights.
int64_t bf16_block_rows(int64_t V, int64_t D, int64_t block_logits) {
  constexpr double kOperationsPerBlock = 4e9;
  const auto in_time = static_cast<int64_t>(kOperationsPerBlock / (2.0 * double(V) * double(D)));
  return std::max<int64_t>(1, std::min(block_logits / V, std::max<int64_t>(64, in_time)));
}

// The same with products of operands that are rounded to bfloat16, by blocks of rows.
Losses run_forward_bf16(const Tensor& hidden, const Tensor& weight, const Tensor& targets,
                        int64_t block_logits) {
  const int64_t R = hidden.size(0);
  const Tensor head = bf16_operand(weight);
  const Losses losses(hidden);
  for_each_rows(R, bf16_block_rows(weight.size(0), weight.size(1), block_logits),
                [&](int64_t row, int64_t rows) {
    throw_if_stopped();
    const Tensor logits = bf16_product(bf16_operand(hidden.narrow(0, row, rows)), head.t());
    const Tensor chosen = logits.gather(1, targets.narrow(0, row, rows).unsqueeze(1)).squeeze(1);
    const Tensor lse = logits.logsumexp(1);
    losses.log_sum_exp.narrow(0, row, rows).copy_(lse);
    losses.nll.narrow(0, row, rows).copy_(lse - chosen);
  });
  return losses;
}

Gradients run_backward_bf16(const Tensor& hidden, const Tensor& weight, const Tensor& targets,
                            const Tensor& log_sum_exp, const Tensor& grad_nll, bool want_hidden,
                            bool want_weight, int64_t block_logits) {
  const int64_t R = hidden.size(0);
  const Tensor head = bf16_operand(weight);
  const Gradients grads{want_hidden ? torch::empty_like(hidden) : Tensor(),
                        want_weight ? torch::zeros_like(weight) : Tensor()};
  for_each_rows(R, bf16_block_rows(weight.size(0), weight.size(1), block_logits),
                [&](int64_t row, int64_t rows) {
    throw_if_stopped();
    const Tensor hidden_rows = bf16_operand(hidden.narrow(0, row, rows));
    const Tensor grad_rows = grad_nll.narrow(0, row, rows).unsqueeze(1);
    Tensor grad_logits = bf16_product(hidden_rows, head.t());
    grad_logits.sub_(log_sum_exp.narrow(0, row, rows).unsqueeze(1)).exp_().mul_(grad_rows);
    grad_logits.scatter_add_(1, targets.narrow(0, row, rows).unsqueeze(1), -grad_rows);
    grad_logits = bf16_operand(grad_logits);
    if (want_hidden) grads.hidden.narrow(0, row, rows).copy_(bf16_product(grad_logits, head));
    if (want_weight) add_bf16_product(grads.weight, grad_logits.t(), hidden_rows);
  });
  return grads;
}

class HeadNllFunction : public torch::autograd::Function<HeadNllFunction> {
 public:
  static Tensor forward(AutogradContext* ctx, const Tensor& hidden, const Tensor& weight,
                        const Tensor& targets, Compute compute, int64_t block_logits) {
    const bool rounds = compute == Compute::kBFloat16;
    const Losses losses = (rounds ? run_forward_bf16 : run_forward)(hidden, weight, targets,
                                                                    block_logits);
    ctx->save_for_backward({hidden, weight, targets, losses.log_sum_exp});
    ctx->saved_data["block_logits"] = block_logits;
    ctx->saved_data["rounds"] = rounds;
    return losses.nll;
  }

  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    expect_first_derivative(kOp);
    const variable_list saved = ctx->get_saved_variables();
    const auto run = ctx->saved_data["rounds"].toBool() ? run_backward_bf16 : run_backward;
    const Gradients found = run(saved[0], saved[1], saved[2], saved[3], grads[0].contiguous(),
                                ctx->needs_input_grad(0), ctx->needs_input_grad(1),
                                ctx->saved_data["block_logits"].toInt());
    return {found.hidden, found.weight, Tensor(), Tensor(), Tensor()};
  }
};

}  // namespace

// The forward pass of products of rounded operands holds a block of logits and a copy of it.
int64_t head_nll_floats(int64_t R, int64_t D, int64_t V, bool rounds) {
  if (rounds) return 2 * std::min(R, bf16_block_rows(V, D, kHeadBlockLogits)) * V;
  const int64_t rows = rows_at_a_time(R, kHeadSlabLogits);
  return std::max(parts_rows(rows, V, D) * rows, std::min(kHeadSlabLogits, rows * V));
}

Tensor head_nll(const Tensor& hidden, const Tensor& weight, const Tensor& targets,
                Compute compute, int64_t block_logits) {
  if (takes_device_way(hidden)) {
    return head_nll_on_device(hidden, weight, targets, compute, block_logits);
  }
  check_operands(hidden, weight, targets);
  const Tensor rows = with_unit_stride(hidden), head = with_unit_stride(weight);
  const Tensor chosen = targets.contiguous();
  if (any_requires_grad({hidden, weight})) {
    return HeadNllFunction::apply(rows, head, chosen, compute, block_logits);
  }
  const auto run = compute == Compute::kBFloat16 ? run_forward_bf16 : run_forward;
  return run(rows, head, chosen, block_logits).nll;
}

}  // namespace farstate::ops
