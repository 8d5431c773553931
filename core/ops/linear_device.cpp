// SPDX-License-Identifier: GPL-3.0-or-later
// Projections off the CPU are ATen's, on CUDA cuBLAS: a product of bfloat16 operands keeps fp32
// sums and gives an fp32 result there without a detour.
#include <ATen/TensorOperators.h>
#include <ATen/ops/linear.h>
#include <torch/csrc/autograd/custom_function.h>

#include "core/ops/backend.h"
#include "core/ops/on_device.h"
#include "core/ops/op_support.h"

namespace farstate::ops {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

class RoundedLinear : public torch::autograd::Function<RoundedLinear> {
 public:
  static Tensor forward(AutogradContext* ctx, const Tensor& x, const Tensor& weight) {
    const Tensor rounded = x.to(at::kBFloat16);
    ctx->save_for_backward({rounded, weight});
    return bf16_product(bf16_operand(rounded), bf16_operand(weight).t());
  }

  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    expect_first_derivative("linear");
    const variable_list saved = ctx->get_saved_variables();
    const Tensor grad = bf16_operand(grads[0]);
    variable_list result(2);
    if (ctx->needs_input_grad(0)) result[0] = bf16_product(grad, bf16_operand(saved[1]));
    if (ctx->needs_input_grad(1)) result[1] = bf16_product(grad.t(), bf16_operand(saved[0]));
    return result;
  }
};

}  // namespace

Tensor linear_on_device(const Tensor& x, const Tensor& weight, const Tensor& bias,
                        Compute compute) {
  use_backend(Operator::kLinear, x);
  const bool narrow = weight.scalar_type() == at::kBFloat16 && x.scalar_type() == at::kFloat;
  expect(narrow || weight.scalar_type() == x.scalar_type(), "linear",
         "a weight of x's dtype, or a bfloat16 weight under a float x",
         toString(weight.scalar_type()));
  if (compute == Compute::kBFloat16) {
    expect(x.scalar_type() == at::kFloat && !narrow, "linear",
           "a float x and weight for bfloat16 products", toString(weight.scalar_type()));
    Tensor out = RoundedLinear::apply(x.reshape({-1, x.size(-1)}), weight);
    if (bias.defined()) out = out + bias;
    std::vector<int64_t> shape = x.sizes().vec();
    shape.back() = weight.size(0);
    return out.view(shape);
  }
  expect(!narrow || !any_requires_grad({x, weight}), "linear", "no graph with a bfloat16 weight",
         "one");
  return at::linear(x, narrow ? weight.to(at::kFloat) : weight, bias);
}

}  // namespace farstate::ops
