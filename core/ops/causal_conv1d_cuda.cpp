// SPDX-License-Identifier: GPL-3.0-or-later
// The convolution by our CUDA kernel; operands are checked before (on_device.cpp).
#include <torch/csrc/autograd/custom_function.h>

#include "core/ops/cuda_call.h"
#include "core/ops/on_device.h"
#include "core/ops/op_support.h"
#include "kernels/causal_conv1d/causal_conv1d_cuda.h"

namespace farstate::ops {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct Operands {
  Tensor u;        // [B,T,C]
  Tensor weight;   // [C,W]
  Tensor bias;     // [C] or undefined
  Tensor context;  // [B,W-1,C] or undefined
  kernels::CausalConv1dInputs<float> in;
};

// With rows that the kernel can walk. `in` points into the tensors beside it.
Operands make_operands(const Tensor& u, const Tensor& weight, const Tensor& bias,
                       const Tensor& context) {
  Operands o{with_contiguous_rows(u), weight.contiguous(),
             bias.defined() ? bias.contiguous() : bias,
             context.defined() ? context.contiguous() : context, {}};
  o.in.sizes = {u.size(0), u.size(1), u.size(2), weight.size(1)};
  o.in.u = o.u.data_ptr<float>();
  o.in.u_stride_b = o.u.stride(0);
  o.in.u_stride_t = o.u.stride(1);
  o.in.weight = o.weight.data_ptr<float>();
  o.in.bias = data_or_null<float>(o.bias);
  o.in.context = data_or_null<float>(o.context);
  return o;
}

CausalConv1dResult run_forward(const Operands& o) {
  const kernels::CausalConv1dSizes& s = o.in.sizes;
  const CausalConv1dResult result{torch::empty({s.B, s.T, s.C}, o.u.options()),
                                  torch::empty({s.B, s.W - 1, s.C}, o.u.options())};
  kernels::CausalConv1dForward<float> args;
  args.in = o.in;
  args.y = result.y.data_ptr<float>();
  args.new_context = result.context.data_ptr<float>();
  const CudaCall call(o.u);
  kernels::cuda::causal_conv1d_forward(args, call.stream());
  return result;
}

class CausalConv1dCuda : public torch::autograd::Function<CausalConv1dCuda> {
 public:
  static variable_list forward(AutogradContext* ctx, const Tensor& u, const Tensor& weight,
                               const std::optional<Tensor>& bias,
                               const std::optional<Tensor>& context) {
    const Operands o =
        make_operands(u, weight, bias.value_or(Tensor()), context.value_or(Tensor()));
    ctx->set_materialize_grads(false);
    ctx->save_for_backward({u, weight, o.bias, o.context});
    const CausalConv1dResult result = run_forward(o);
    return {result.y, result.context};
  }

  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    expect_first_derivative("causal_conv1d");
    const variable_list saved = ctx->get_saved_variables();
    const Operands o = make_operands(saved[0], saved[1], saved[2], saved[3]);
    const kernels::CausalConv1dSizes& s = o.in.sizes;
    const Tensor grad_y =
        grads[0].defined() ? with_contiguous_rows(grads[0]) : torch::zeros_like(saved[0]);
    const Tensor grad_new_context = grads[1].defined() ? grads[1].contiguous() : Tensor();
    const auto options = o.u.options();
    const Tensor grad_u = torch::empty({s.B, s.T, s.C}, options);
    const Tensor grad_context = torch::empty({s.B, s.W - 1, s.C}, options);
    const Tensor grad_weight = torch::empty({s.B, s.C, s.W}, options);
    const Tensor grad_bias = torch::empty({s.B, s.C}, options);
    kernels::CausalConv1dBackward<float> args;
    args.in = o.in;
    args.grad_y = grad_y.data_ptr<float>();
    args.grad_y_stride_b = grad_y.stride(0);
    args.grad_y_stride_t = grad_y.stride(1);
    args.grad_new_context = data_or_null<float>(grad_new_context);
    args.grad_u = grad_u.data_ptr<float>();
    args.grad_context = grad_context.data_ptr<float>();
    args.grad_weight = grad_weight.data_ptr<float>();
    args.grad_bias = grad_bias.data_ptr<float>();
    const CudaCall call(o.u);
    kernels::cuda::causal_conv1d_backward(args, call.stream());
    return {grad_u, grad_weight.sum(0), o.bias.defined() ? grad_bias.sum(0) : Tensor(),
            o.context.defined() ? grad_context : Tensor()};
  }
};

}  // namespace

CausalConv1dResult causal_conv1d_cuda(const Tensor& u, const Tensor& weight, const Tensor& bias,
                                      const Tensor& context) {
  if (any_requires_grad({u, weight, bias, context})) {
    const variable_list outputs =
        CausalConv1dCuda::apply(u, weight, to_optional(bias), to_optional(context));
    return {outputs[0], outputs[1]};
  }
  return run_forward(make_operands(u, weight, bias, context));
}

}  // namespace farstate::ops
