// SPDX-License-Identifier: GPL-3.0-or-later
// The scan and the step by our CUDA kernels; operands are checked before (on_device.cpp).
#include <torch/csrc/autograd/custom_function.h>

#include "core/ops/backend.h"
#include "core/ops/cuda_call.h"
#include "core/ops/on_device.h"
#include "core/ops/op_support.h"
#include "kernels/ssd_scan/ssd_scan_cuda.h"

namespace farstate::ops {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct Operands {
  Tensor xBC;      // [B,T,H*P + 2*G*N]
  Tensor dt_raw;   // [B,T,H]
  Tensor A;        // [H]
  Tensor D;        // [H] or undefined
  Tensor dt_bias;  // [H] or undefined
  kernels::SsdScanInputs<float> in;
};

Tensor contiguous(const Tensor& tensor) {
  return tensor.defined() ? tensor.contiguous() : tensor;
}

// With rows that the kernel can walk. `in` points into the tensors beside it.
Operands make_operands(const Tensor& xBC, const Tensor& dt_raw, const Tensor& A, const Tensor& D,
                       const Tensor& dt_bias, const SsdScanOptions& options) {
  Operands o{with_contiguous_rows(xBC), with_contiguous_rows(dt_raw), A.contiguous(),
             contiguous(D), contiguous(dt_bias), {}};
  kernels::SsdScanSizes& s = o.in.sizes;
  s.B = xBC.size(0);
  s.T = xBC.size(1);
  s.H = dt_raw.size(2);
  s.N = options.state_dim;
  s.G = options.groups;
  s.P = (xBC.size(2) - 2 * s.G * s.N) / s.H;
  s.dt_min = options.dt_min;
  s.dt_max = options.dt_max;
  o.in.x = o.xBC.data_ptr<float>();
  o.in.B = o.in.x + s.H * s.P;
  o.in.C = o.in.B + s.G * s.N;
  o.in.xBC_stride_b = o.xBC.stride(0);
  o.in.xBC_stride_t = o.xBC.stride(1);
  o.in.dt_raw = o.dt_raw.data_ptr<float>();
  o.in.dt_stride_b = o.dt_raw.stride(0);
  o.in.dt_stride_t = o.dt_raw.stride(1);
  o.in.A = o.A.data_ptr<float>();
  o.in.D = data_or_null<float>(o.D);
  o.in.dt_bias = data_or_null<float>(o.dt_bias);
  return o;
}

Tensor make_block_states(const kernels::SsdScanSizes& s, const Tensor& like) {
  const int64_t chunks = (s.T + kernels::cuda::kSsdChunk - 1) / kernels::cuda::kSsdChunk;
  return torch::empty({s.B, s.H, chunks, s.P, s.N}, like.options());
}

// block_states is undefined where no backward pass will follow.
SsdScanResult run_forward(const Operands& o, const Tensor& h_first,
                          const std::vector<int64_t>& positions, MatrixInputs inputs,
                          const Tensor& block_states) {
  const kernels::SsdScanSizes& s = o.in.sizes;
  const auto K = static_cast<int64_t>(positions.size());
  SsdScanResult result{torch::empty({s.B, s.T, s.H, s.P}, o.xBC.options()),
                       torch::empty({s.B, s.H, s.P, s.N}, o.xBC.options()), {}};
  Tensor chosen;
  if (K > 0) {
    result.stats = torch::empty({s.B, K, s.H, 4}, o.xBC.options().dtype(torch::kDouble));
    chosen = to_device(torch::tensor(positions, torch::kLong), o.xBC.device());
  }
  const CudaCall call(o.xBC);
  const Tensor workspace = call.workspace(
      kernels::cuda::ssd_scan_forward_workspace(s, block_states.defined()));
  kernels::SsdScanForward<float> args;
  args.in = o.in;
  args.h_first = data_or_null<float>(h_first);
  args.y = result.y.data_ptr<float>();
  args.h_last = result.h_last.data_ptr<float>();
  args.block_states = data_or_null<float>(block_states);
  args.stat_positions = data_or_null<int64_t>(chosen);
  args.K = K;
  args.stats = data_or_null<double>(result.stats);
  kernels::cuda::ssd_scan_forward(args, inputs, workspace.data_ptr(), call.stream());
  return result;
}

// The gradients in the order of the operands: xBC, dt_raw, A, D, dt_bias, h_first.
variable_list run_backward(const Operands& o, const Tensor& block_states, const Tensor& grad_y,
                           const Tensor& grad_h_last, MatrixInputs inputs) {
  const kernels::SsdScanSizes& s = o.in.sizes;
  const auto options = o.xBC.options();
  const Tensor grad_xBC = torch::empty({s.B, s.T, o.xBC.size(2)}, options);
  const Tensor grad_dt_raw = torch::empty({s.B, s.T, s.H}, options);
  const Tensor grad_h_first = torch::empty({s.B, s.H, s.P, s.N}, options);
  const Tensor sums = torch::empty({3, s.B, s.H}, options.dtype(torch::kDouble));  // A, D, dt_bias
  const CudaCall call(o.xBC);
  const Tensor workspace = call.workspace(kernels::cuda::ssd_scan_backward_workspace(s));
  kernels::SsdScanBackward<float> args;
  args.in = o.in;
  args.block_states = block_states.data_ptr<float>();
  args.grad_y = grad_y.data_ptr<float>();
  args.grad_y_stride_b = grad_y.stride(0);
  args.grad_y_stride_t = grad_y.stride(1);
  args.grad_h_last = data_or_null<float>(grad_h_last);
  args.grad_x = grad_xBC.data_ptr<float>();
  args.grad_B = args.grad_x + s.H * s.P;
  args.grad_C = args.grad_B + s.G * s.N;
  args.grad_xBC_stride_b = grad_xBC.stride(0);
  args.grad_xBC_stride_t = grad_xBC.stride(1);
  args.grad_dt_raw = grad_dt_raw.data_ptr<float>();
  args.grad_h_first = grad_h_first.data_ptr<float>();
  args.grad_A = sums[0].data_ptr<double>();
  args.grad_D = sums[1].data_ptr<double>();
  args.grad_dt_bias = sums[2].data_ptr<double>();
  kernels::cuda::ssd_scan_backward(args, inputs, workspace.data_ptr(), call.stream());
  const Tensor per_head = sums.sum(1).to(torch::kFloat);  // [3,H]
  return {grad_xBC,
          grad_dt_raw,
          per_head[0],
          o.D.defined() ? per_head[1] : Tensor(),
          o.dt_bias.defined() ? per_head[2] : Tensor(),
          grad_h_first};
}

class SsdScanCuda : public torch::autograd::Function<SsdScanCuda> {
 public:
  static variable_list forward(AutogradContext* ctx, const Tensor& xBC, const Tensor& dt_raw,
                               const Tensor& A, const std::optional<Tensor>& D,
                               const std::optional<Tensor>& dt_bias,
                               const std::optional<Tensor>& h_first,
                               const SsdScanOptions& options) {
    const Operands o = make_operands(xBC, dt_raw, A, D.value_or(Tensor()),
                                     dt_bias.value_or(Tensor()), options);
    const Tensor block_states = make_block_states(o.in.sizes, xBC);
    const MatrixInputs inputs = matrix_inputs();
    SsdScanResult result = run_forward(o, contiguous(h_first.value_or(Tensor())),
                                       options.stat_positions, inputs, block_states);
    ctx->set_materialize_grads(false);
    ctx->save_for_backward({xBC, dt_raw, A, o.D, o.dt_bias, block_states});
    ctx->saved_data["groups"] = options.groups;
    ctx->saved_data["state_dim"] = options.state_dim;
    ctx->saved_data["dt_min"] = options.dt_min;
    ctx->saved_data["dt_max"] = options.dt_max;
    ctx->saved_data["inputs"] = static_cast<int64_t>(inputs);
    ctx->saved_data["has_h_first"] = h_first.has_value();
    if (!result.stats.defined()) return {result.y, result.h_last};
    ctx->mark_non_differentiable({result.stats});
    return {result.y, result.h_last, result.stats};
  }

  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    expect_first_derivative("ssd_scan");
    const variable_list saved = ctx->get_saved_variables();
    SsdScanOptions options;
    options.groups = ctx->saved_data["groups"].toInt();
    options.state_dim = ctx->saved_data["state_dim"].toInt();
    options.dt_min = ctx->saved_data["dt_min"].toDouble();
    options.dt_max = ctx->saved_data["dt_max"].toDouble();
    const Operands o = make_operands(saved[0], saved[1], saved[2], saved[3], saved[4], options);
    const kernels::SsdScanSizes& s = o.in.sizes;
    const Tensor grad_y = grads[0].defined()
                              ? with_contiguous_rows(grads[0].flatten(2))
                              : torch::zeros({s.B, s.T, s.H * s.P}, saved[0].options());
    variable_list result =
        run_backward(o, saved[5], grad_y, contiguous(grads[1]),
                     static_cast<MatrixInputs>(ctx->saved_data["inputs"].toInt()));
    if (!ctx->saved_data["has_h_first"].toBool()) result[5] = Tensor();
    result.emplace_back();  // options
    return result;
  }
};

}  // namespace

SsdScanResult ssd_scan_cuda(const Tensor& xBC, const Tensor& dt_raw, const Tensor& A,
                            const Tensor& D, const Tensor& dt_bias, const Tensor& h_first,
                            const SsdScanOptions& options) {
  if (any_requires_grad({xBC, dt_raw, A, D, dt_bias, h_first})) {
    const variable_list outputs = SsdScanCuda::apply(
        xBC, dt_raw, A, to_optional(D), to_optional(dt_bias), to_optional(h_first), options);
    return {outputs[0], outputs[1], outputs.size() > 2 ? outputs[2] : Tensor()};
  }
  return run_forward(make_operands(xBC, dt_raw, A, D, dt_bias, options), contiguous(h_first),
                     options.stat_positions, matrix_inputs(), Tensor());
}

Tensor ssd_step_cuda(const Tensor& xBC, const Tensor& dt_raw, const Tensor& A, const Tensor& D,
                     const Tensor& dt_bias, Tensor& h, const SsdScanOptions& options) {
  const Operands o =
      make_operands(xBC.unsqueeze(1), dt_raw.unsqueeze(1), A, D, dt_bias, options);
  const kernels::SsdScanSizes& s = o.in.sizes;
  const Tensor y = torch::empty({s.B, s.H, s.P}, xBC.options());
  kernels::SsdScanForward<float> args;
  args.in = o.in;
  args.h_first = h.data_ptr<float>();
  args.h_last = h.data_ptr<float>();
  args.y = y.data_ptr<float>();
  const CudaCall call(o.xBC);
  kernels::cuda::ssd_step(args, call.stream());
  return y;
}

}  // namespace farstate::ops
