// SPDX-License-Identifier: GPL-3.0-or-later
// The gated norm by our CUDA kernel; operands are checked before (on_device.cpp).
#include <torch/csrc/autograd/custom_function.h>

#include "core/ops/cuda_call.h"
#include "core/ops/on_device.h"
#include "core/ops/op_support.h"
#include "kernels/gated_rmsnorm/gated_rmsnorm_cuda.h"

namespace farstate::ops {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct Operands {
  Tensor y;       // [R,C]
  Tensor z;       // [R,C] or undefined
  Tensor weight;  // [C]
  kernels::GatedRmsNormInputs<float> in;
};

// [...,C] -> [R,C] with one stride between rows.
Tensor as_rows(const Tensor& tensor) {
  return with_contiguous_rows(tensor).reshape({-1, tensor.size(-1)});
}

// `in` points into the tensors beside it.
Operands make_operands(const Tensor& y, const Tensor& z, const Tensor& weight, int64_t groups,
                       double eps) {
  Operands o{as_rows(y), z.defined() ? as_rows(z) : z, weight.contiguous(), {}};
  o.in.sizes = {o.y.size(0), o.y.size(1), groups, eps};
  o.in.y = o.y.data_ptr<float>();
  o.in.y_stride = o.y.stride(0);
  o.in.z = data_or_null<float>(o.z);
  o.in.z_stride = o.z.defined() ? o.z.stride(0) : 0;
  o.in.weight = o.weight.data_ptr<float>();
  return o;
}

// rstd [R,G], undefined where no backward pass will follow.
void run_forward(const Operands& o, const Tensor& out, const Tensor& rstd) {
  kernels::GatedRmsNormForward<float> args;
  args.in = o.in;
  args.out = out.data_ptr<float>();
  args.rstd = data_or_null<float>(rstd);
  const CudaCall call(o.y);
  kernels::cuda::gated_rmsnorm_forward(args, call.stream());
}

class GatedRmsNormCuda : public torch::autograd::Function<GatedRmsNormCuda> {
 public:
  static Tensor forward(AutogradContext* ctx, const Tensor& y, const std::optional<Tensor>& z,
                        const Tensor& weight, int64_t groups, double eps) {
    const Operands o = make_operands(y, z.value_or(Tensor()), weight, groups, eps);
    const Tensor out = torch::empty(y.sizes(), y.options());
    const Tensor rstd = torch::empty({o.in.sizes.R, groups}, y.options());
    run_forward(o, out, rstd);
    ctx->save_for_backward({y, z.value_or(Tensor()), weight, rstd});
    ctx->saved_data["groups"] = groups;
    ctx->saved_data["eps"] = eps;
    return out;
  }

  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    expect_first_derivative("gated_rmsnorm");
    const variable_list saved = ctx->get_saved_variables();
    const Tensor& y = saved[0];
    const Operands o = make_operands(y, saved[1], saved[2], ctx->saved_data["groups"].toInt(),
                                     ctx->saved_data["eps"].toDouble());
    const Tensor grad_out = as_rows(grads[0]);
    const Tensor grad_y = torch::empty(y.sizes(), y.options());
    const Tensor grad_z = o.z.defined() ? torch::empty(y.sizes(), y.options()) : Tensor();
    const Tensor grad_weight =
        torch::empty({o.in.sizes.backward_tasks(), o.in.sizes.C}, y.options());
    kernels::GatedRmsNormBackward<float> args;
    args.in = o.in;
    args.rstd = saved[3].data_ptr<float>();
    args.grad_out = grad_out.data_ptr<float>();
    args.grad_out_stride = grad_out.stride(0);
    args.grad_y = grad_y.data_ptr<float>();
    args.grad_z = data_or_null<float>(grad_z);
    args.grad_weight = grad_weight.data_ptr<float>();
    const CudaCall call(o.y);
    kernels::cuda::gated_rmsnorm_backward(args, call.stream());
    return {grad_y, grad_z, grad_weight.sum(0), Tensor(), Tensor()};
  }
};

}  // namespace

Tensor gated_rmsnorm_cuda(const Tensor& y, const Tensor& z, const Tensor& weight, int64_t groups,
                          double eps) {
  if (any_requires_grad({y, z, weight})) {
    return GatedRmsNormCuda::apply(y, to_optional(z), weight, groups, eps);
  }
  const Tensor out = torch::empty(y.sizes(), y.options());
  run_forward(make_operands(y, z, weight, groups, eps), out, Tensor());
  return out;
}

}  // namespace farstate::ops
