// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/linear.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mm.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "core/ops/op_support.h"

namespace farstate::ops {
namespace {

// Elements of a widened block: 4 MB, enough rows for an efficient product and little enough to stay
// in the cache between widening and product.
constexpr int64_t kBlock = int64_t{1} << 20;

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

Tensor in_bfloat16(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  expect(x.scalar_type() == at::kFloat && weight.scalar_type() == at::kFloat, "linear",
         "a float x and weight for bfloat16 products", toString(weight.scalar_type()));
  const Tensor rows = x.reshape({-1, x.size(-1)});
  const Tensor out = any_requires_grad({x, weight, bias})
                         ? Bf16LinearFunction::apply(rows, weight, to_optional(bias))
                         : bf16_linear(rows, weight, bias);
  std::vector<int64_t> shape = x.sizes().vec();
  shape.back() = weight.size(0);
  return out.view(shape);
}

}  // namespace

at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                  Compute compute) {
  if (compute == Compute::kBFloat16) return in_bfloat16(x, weight, bias);
  if (weight.scalar_type() == x.scalar_type()) return at::linear(x, weight, bias);
  expect(weight.scalar_type() == at::kBFloat16 && x.scalar_type() == at::kFloat, "linear",
         "a weight of x's dtype, or a bfloat16 weight under a float x", toString(weight.scalar_type()));
  expect(!any_requires_grad({x, weight}), "linear", "no graph with a bfloat16 weight", "one");
  const int64_t O = weight.size(0);
  const int64_t I = weight.size(1);
  const at::Tensor rows = x.reshape({-1, I});                       // [R,I]
  at::Tensor out = at::empty({rows.size(0), O}, x.options());       // [R,O]
  const int64_t block = std::clamp<int64_t>(kBlock / I, 1, O);
  for (int64_t row = 0; row < O; row += block) {
    throw_if_stopped();
    const int64_t count = std::min(block, O - row);
    const at::Tensor wide = weight.narrow(0, row, count).to(at::kFloat);
    at::Tensor part = out.narrow(1, row, count);
    at::mm_out(part, rows, wide.t());
  }
  if (bias.defined()) out.add_(bias);
  std::vector<int64_t> shape = x.sizes().vec();
  shape.back() = O;
  return out.view(shape);
}

}  // namespace farstate::ops
