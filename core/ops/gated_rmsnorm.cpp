// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/gated_rmsnorm.h"

#include <fmt/format.h>
#include <torch/csrc/autograd/custom_function.h>

#include "core/ops/backend.h"
#include "core/ops/on_device.h"
#include "core/ops/op_support.h"
#include "kernels/gated_rmsnorm/gated_rmsnorm.h"

namespace farstate::ops {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr char kOp[] = "gated_rmsnorm";

struct Operands {
  Tensor y;       // [R,C]
  Tensor z;       // [R,C] or undefined
  Tensor weight;  // [C]
  kernels::GatedRmsNormSizes sizes;
};

// [...,C] -> [R,C] with one stride between rows; copied only where the strides do not allow it.
Tensor as_rows(const Tensor& tensor) {
  return with_contiguous_rows(tensor).reshape({-1, tensor.size(-1)});
}

Operands make_operands(const Tensor& y, const Tensor& z, const Tensor& weight, int64_t groups,
                       double eps) {
  expect(y.defined() && y.dim() >= 1, kOp, "y [...,C]", "no tensor or a scalar");
  expect_operand(kOp, "y", y, y.dim());
  const int64_t C = y.size(-1);
  if (C < 1 || groups < 1 || C % groups != 0) {
    expect(false, kOp, "C a multiple of the groups", fmt::format("C = {}, groups = {}", C, groups));
  }
  expect_optional(kOp, "z", z, y.sizes(), y);
  expect_tensor(kOp, "weight", weight, {C}, y);
  return {as_rows(y),
          z.defined() ? as_rows(z) : z,
          weight.contiguous(),
          {y.numel() / C, C, groups, eps}};
}

template <class Real>
kernels::GatedRmsNormInputs<Real> kernel_inputs(const Operands& o) {
  kernels::GatedRmsNormInputs<Real> in;
  in.sizes = o.sizes;
  in.y = o.y.data_ptr<Real>();
  in.y_stride = o.y.stride(0);
  in.z = data_or_null<Real>(o.z);
  in.z_stride = o.z.defined() ? o.z.stride(0) : 0;
  in.weight = o.weight.data_ptr<Real>();
  return in;
}

// out [R,C]; rstd [R,G], undefined where no backward pass will follow.
void run_forward(const Operands& o, const Tensor& out, const Tensor& rstd) {
  with_real_type(o.y, [&](auto zero) {
    using Real = decltype(zero);
    kernels::GatedRmsNormForward<Real> args;
    args.in = kernel_inputs<Real>(o);
    args.out = out.data_ptr<Real>();
    args.rstd = data_or_null<Real>(rstd);
    for_each_task(
        o.sizes.R, 25.0 * static_cast<double>(o.sizes.C),
        [&](int64_t begin, int64_t end) { kernels::gated_rmsnorm_forward(args, begin, end); });
  });
}

// The gradients [R,C] of y, [R,C] of z and [C] of weight.
variable_list run_backward(const Operands& o, const Tensor& rstd, const Tensor& grad_out) {
  const kernels::GatedRmsNormSizes& s = o.sizes;
  const Tensor grad_y = torch::empty({s.R, s.C}, o.y.options());
  const Tensor grad_z = o.z.defined() ? torch::empty({s.R, s.C}, o.y.options()) : Tensor();
  const Tensor grad_weight = torch::empty({s.backward_tasks(), s.C}, o.y.options());
  with_real_type(o.y, [&](auto zero) {
    using Real = decltype(zero);
    kernels::GatedRmsNormBackward<Real> args;
    args.in = kernel_inputs<Real>(o);
    args.rstd = rstd.data_ptr<Real>();
    args.grad_out = grad_out.data_ptr<Real>();
    args.grad_out_stride = grad_out.stride(0);
    args.grad_y = grad_y.data_ptr<Real>();
    args.grad_z = data_or_null<Real>(grad_z);
    args.grad_weight = grad_weight.data_ptr<Real>();
    for_each_task(
        s.backward_tasks(), 40.0 * static_cast<double>(kernels::kNormRows * s.C),
        [&](int64_t begin, int64_t end) { kernels::gated_rmsnorm_backward(args, begin, end); });
  });
  return {grad_y, grad_z, grad_weight.sum(0)};
}

class GatedRmsNormFunction : public torch::autograd::Function<GatedRmsNormFunction> {
 public:
  static Tensor forward(AutogradContext* ctx, const Tensor& y,
                        const std::optional<Tensor>& optional_z, const Tensor& weight,
                        int64_t groups, double eps) {
    const Tensor z = optional_z.value_or(Tensor());
    const Operands o = make_operands(y, z, weight, groups, eps);
    const Tensor out = torch::empty(y.sizes(), y.options());
    const Tensor rstd = torch::empty({o.sizes.R, groups}, y.options());
    run_forward(o, out, rstd);
    ctx->save_for_backward({y, z, weight, rstd});
    ctx->saved_data["groups"] = groups;
    ctx->saved_data["eps"] = eps;
    return out;
  }

  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    expect_first_derivative(kOp);
    const variable_list saved = ctx->get_saved_variables();
    const Tensor& y = saved[0];
    const Operands o = make_operands(y, saved[1], saved[2], ctx->saved_data["groups"].toInt(),
                                     ctx->saved_data["eps"].toDouble());
    const variable_list rows = run_backward(o, saved[3], as_rows(grads[0]));
    return {rows[0].view(y.sizes()), rows[1].defined() ? rows[1].view(y.sizes()) : Tensor(),
            rows[2], Tensor(), Tensor()};
  }
};

}  // namespace

Tensor gated_rmsnorm(const Tensor& y, const Tensor& z, const Tensor& weight, int64_t groups,
                     double eps) {
  if (takes_device_way(y)) return gated_rmsnorm_on_device(y, z, weight, groups, eps);
  if (any_requires_grad({y, z, weight})) {
    return GatedRmsNormFunction::apply(y, to_optional(z), weight, groups, eps);
  }
  const Tensor out = torch::empty(y.sizes(), y.options());
  run_forward(make_operands(y, z, weight, groups, eps), out, Tensor());
  return out;
}

}  // namespace farstate::ops
