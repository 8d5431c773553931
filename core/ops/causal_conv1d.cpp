// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/causal_conv1d.h"

#include <torch/csrc/autograd/custom_function.h>

#include "core/ops/op_support.h"
#include "kernels/causal_conv1d/causal_conv1d.h"

namespace farstate::ops {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr char kOp[] = "causal_conv1d";

struct Operands {
  Tensor u;        // [B,T,C]
  Tensor weight;   // [C,W]
  Tensor bias;     // [C] or undefined
  Tensor context;  // [B,W-1,C] or undefined
  kernels::CausalConv1dSizes sizes;
};

Operands make_operands(const Tensor& u, const Tensor& weight, const Tensor& bias,
                       const Tensor& context) {
  expect_operand(kOp, "u", u, 3);
  expect_operand(kOp, "weight", weight, 2);
  const kernels::CausalConv1dSizes s{u.size(0), u.size(1), u.size(2), weight.size(1)};
  expect(s.T >= 1 && s.C >= 1 && s.W >= 1, kOp, "T, C and W >= 1", "a size of zero");
  expect_tensor(kOp, "weight", weight, {s.C, s.W}, u);
  expect_optional(kOp, "bias", bias, {s.C}, u);
  expect_optional(kOp, "context", context, {s.B, s.W - 1, s.C}, u);
  return {with_contiguous_rows(u), weight.contiguous(), bias.defined() ? bias.contiguous() : bias,
          context.defined() ? context.contiguous() : context, s};
}

template <class Real>
kernels::CausalConv1dInputs<Real> kernel_inputs(const Operands& o) {
  kernels::CausalConv1dInputs<Real> in;
  in.sizes = o.sizes;
  in.u = o.u.data_ptr<Real>();
  in.u_stride_b = o.u.stride(0);
  in.u_stride_t = o.u.stride(1);
  in.weight = o.weight.data_ptr<Real>();
  in.bias = data_or_null<Real>(o.bias);
  in.context = data_or_null<Real>(o.context);
  return in;
}

double operations_per_task(const kernels::CausalConv1dSizes& s) {
  return static_cast<double>(std::min(s.T, kernels::kConvPositions) * s.C * (20 + 2 * s.W));  // 20: the exp
}

CausalConv1dResult run_forward(const Operands& o) {
  const kernels::CausalConv1dSizes& s = o.sizes;
  const CausalConv1dResult result{torch::empty({s.B, s.T, s.C}, o.u.options()),
                                  torch::empty({s.B, s.W - 1, s.C}, o.u.options())};
  with_real_type(o.u, [&](auto zero) {
    using Real = decltype(zero);
    kernels::CausalConv1dForward<Real> args;
    args.in = kernel_inputs<Real>(o);
    args.y = result.y.data_ptr<Real>();
    args.new_context = result.context.data_ptr<Real>();
    for_each_task(s.tasks(), operations_per_task(s), [&](int64_t begin, int64_t end) {
      kernels::causal_conv1d_forward(args, begin, end);
    });
  });
  return result;
}

// The gradients in the order of the operands: u, weight, bias, context.
variable_list run_backward(const Operands& o, const Tensor& grad_y,
                           const Tensor& grad_new_context) {
  const kernels::CausalConv1dSizes& s = o.sizes;
  const auto options = o.u.options();
  const Tensor grad_u = torch::empty({s.B, s.T, s.C}, options);
  const Tensor grad_context = torch::empty({s.B, s.W - 1, s.C}, options);
  const Tensor grad_weight = torch::empty({s.tasks(), s.C, s.W}, options);
  const Tensor grad_bias = torch::empty({s.tasks(), s.C}, options);
  with_real_type(o.u, [&](auto zero) {
    using Real = decltype(zero);
    kernels::CausalConv1dBackward<Real> args;
    args.in = kernel_inputs<Real>(o);
    args.grad_y = grad_y.data_ptr<Real>();
    args.grad_y_stride_b = grad_y.stride(0);
    args.grad_y_stride_t = grad_y.stride(1);
    args.grad_new_context = data_or_null<Real>(grad_new_context);
    args.grad_u = grad_u.data_ptr<Real>();
    args.grad_context = grad_context.data_ptr<Real>();
    args.grad_weight = grad_weight.data_ptr<Real>();
    args.grad_bias = grad_bias.data_ptr<Real>();
    for_each_task(s.tasks(), 2 * operations_per_task(s), [&](int64_t begin, int64_t end) {
      kernels::causal_conv1d_backward(args, begin, end);
    });
  });
  return {grad_u, grad_weight.sum(0), o.bias.defined() ? grad_bias.sum(0) : Tensor(),
          o.context.defined() ? grad_context : Tensor()};
}

class CausalConv1dFunction : public torch::autograd::Function<CausalConv1dFunction> {
 public:
  static variable_list forward(AutogradContext* ctx, const Tensor& u, const Tensor& weight,
                               const std::optional<Tensor>& optional_bias,
                               const std::optional<Tensor>& optional_context) {
    const Tensor bias = optional_bias.value_or(Tensor());
    const Tensor context = optional_context.value_or(Tensor());
    ctx->set_materialize_grads(false);
    ctx->save_for_backward({u, weight, bias, context});
    const CausalConv1dResult result = run_forward(make_operands(u, weight, bias, context));
    return {result.y, result.context};
  }

  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    expect_first_derivative(kOp);
    const variable_list saved = ctx->get_saved_variables();
    const Tensor grad_y =
        grads[0].defined() ? with_contiguous_rows(grads[0]) : torch::zeros_like(saved[0]);
    return run_backward(make_operands(saved[0], saved[1], saved[2], saved[3]), grad_y,
                        grads[1].defined() ? grads[1].contiguous() : Tensor());
  }
};

}  // namespace

CausalConv1dResult causal_conv1d_silu(const Tensor& u, const Tensor& weight, const Tensor& bias,
                                      const Tensor& context) {
  if (any_requires_grad({u, weight, bias, context})) {
    const variable_list outputs =
        CausalConv1dFunction::apply(u, weight, to_optional(bias), to_optional(context));
    return {outputs[0], outputs[1]};
  }
  return run_forward(make_operands(u, weight, bias, context));
}

}  // namespace farstate::ops
