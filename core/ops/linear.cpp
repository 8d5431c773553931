// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/linear.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/sum.h>
#include <torch/csrc/autograd/custom_function.h>

#include "core/ops/backend.h"
#include "core/ops/matrix_product.h"
#include "core/ops/on_device.h"
#include "core/ops/op_support.h"

namespace farstate::ops {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

Tensor bf16_linear(const Tensor& rows, const Tensor& weight, const Tensor& bias) {
  Tensor out = bf16_product(bf16_operand(rows), bf16_operand(weight).t());
  return bias.defined() ? out.add_(bias) : out;
}

class Bf16LinearFunction : public torch::autograd::Function<Bf16LinearFunction> {
 public:
  // x [R,I], weight [O,I], bias [O]
  static Tensor forward(AutogradContext* ctx, const Tensor& x, const Tensor& weight,
                        const std::optional<Tensor>& optional_bias) {
    const Tensor rounded = x.to(at::kBFloat16);
    ctx->save_for_backward({rounded, weight});
    ctx->saved_data["has_bias"] = optional_bias.has_value();
    return bf16_linear(rounded, weight, optional_bias.value_or(Tensor()));
  }

  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    expect_first_derivative("linear");
    const variable_list saved = ctx->get_saved_variables();
    const Tensor grad = bf16_operand(grads[0]);
    variable_list result(3);
    if (ctx->needs_input_grad(0)) result[0] = bf16_product(grad, bf16_operand(saved[1]));
    if (ctx->needs_input_grad(1)) result[1] = bf16_product(grad.t(), bf16_operand(saved[0]));
    if (ctx->saved_data["has_bias"].toBool()) result[2] = grads[0].sum(0);
    return result;
  }
};

// [...,I] -> [R,I]
Tensor as_rows(const Tensor& x) { return x.dim() == 2 ? x : x.reshape({-1, x.size(-1)}); }

std::vector<int64_t> result_shape(const Tensor& x, const Tensor& weight) {
  std::vector<int64_t> shape = x.sizes().vec();
  shape.back() = weight.size(0);
  return shape;
}

Tensor plus(Tensor out, const Tensor& residual) {
  return residual.defined() ? out.add_(residual) : out;
}

Tensor in_bfloat16(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  expect(x.scalar_type() == at::kFloat && weight.scalar_type() == at::kFloat, "linear",
         "a float x and weight for bfloat16 products", toString(weight.scalar_type()));
  const Tensor rows = as_rows(x);
  const Tensor out = any_requires_grad({x, weight, bias})
                         ? Bf16LinearFunction::apply(rows, weight, to_optional(bias))
                         : bf16_linear(rows, weight, bias);
  return out.view(result_shape(x, weight));
}

Tensor plain_linear(const Tensor& x, const Tensor& weight, const Tensor& bias,
                    const Tensor& residual) {
  const Tensor rows = as_rows(x);
  // A single row reads the weight once and multiplies each element once, so bringing it into another
  // order costs more than the product.
  if (rows.size(0) == 1 && weight.scalar_type() == x.scalar_type()) {
    return plus(at::linear(x, weight, to_optional(bias)), residual);
  }
  const Tensor out = at::empty(result_shape(x, weight), x.options());
  const bool adds_residual = residual.defined() && !bias.defined();
  multiply_into(out.view({-1, weight.size(0)}), rows, weight.t(),
                adds_residual ? with_contiguous_rows(as_rows(residual)) : bias);
  return adds_residual ? out : plus(out, residual);
}

class LinearFunction : public torch::autograd::Function<LinearFunction> {
 public:
  // x [...,I], weight [O,I], bias [O], residual [...,O]
  static Tensor forward(AutogradContext* ctx, const Tensor& x, const Tensor& weight,
                        const std::optional<Tensor>& bias, const std::optional<Tensor>& residual) {
    ctx->save_for_backward({x, weight});
    ctx->saved_data["has_bias"] = bias.has_value();
    ctx->saved_data["has_residual"] = residual.has_value();
    return plain_linear(x, weight, bias.value_or(Tensor()), residual.value_or(Tensor()));
  }

  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    expect_first_derivative("linear");
    const variable_list saved = ctx->get_saved_variables();
    const Tensor &x = saved[0], &weight = saved[1];
    const Tensor grad = as_rows(grads[0]);
    variable_list result(4);
    if (ctx->needs_input_grad(0)) {
      result[0] = at::empty(x.sizes(), x.options());
      multiply_into(result[0].view({-1, x.size(-1)}), grad, weight);
    }
    if (ctx->needs_input_grad(1)) result[1] = matrix_product(grad.t(), as_rows(x));
    if (ctx->saved_data["has_bias"].toBool()) result[2] = grad.sum(0);
    if (ctx->saved_data["has_residual"].toBool()) result[3] = grads[0];
    return result;
  }
};

}  // namespace

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias, Compute compute) {
  return linear_plus(x, weight, bias, {}, compute);
}

Tensor linear_plus(const Tensor& x, const Tensor& weight, const Tensor& bias,
                   const Tensor& residual, Compute compute) {
  if (residual.defined()) expect_tensor("linear", "residual", residual, result_shape(x, weight), x);
  if (takes_device_way(x)) {
    const Tensor out = linear_on_device(x, weight, bias, compute);
    return residual.defined() ? residual + out : out;
  }
  if (compute == Compute::kBFloat16) {
    const Tensor out = in_bfloat16(x, weight, bias);
    return residual.defined() ? residual + out : out;
  }
  if (!any_requires_grad({x, weight, bias, residual})) {
    return plain_linear(x, weight, bias, residual);
  }
  expect(weight.scalar_type() == x.scalar_type(), "linear", "a weight of x's dtype under a graph",
         toString(weight.scalar_type()));
  return LinearFunction::apply(x, weight, to_optional(bias), to_optional(residual));
}

}  // namespace farstate::ops
