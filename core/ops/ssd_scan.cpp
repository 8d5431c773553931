// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/ssd_scan.h"

#include <fmt/format.h>
#include <torch/csrc/autograd/custom_function.h>

#include "core/base/error.h"
#include "core/ops/op_support.h"
#include "kernels/ssd_scan/ssd_scan.h"

namespace farstate::ops {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr char kOp[] = "ssd_scan";

struct Operands {
  Tensor xBC;      // [B,T,H*P + 2*G*N]
  Tensor dt_raw;   // [B,T,H]
  Tensor A;        // [H]
  Tensor D;        // [H] or undefined
  Tensor dt_bias;  // [H] or undefined
  kernels::SsdScanSizes sizes;
};

kernels::SsdScanSizes sizes_of(const Tensor& xBC, const Tensor& dt_raw,
                               const SsdScanOptions& options) {
  expect_operand(kOp, "xBC", xBC, 3);
  expect_operand(kOp, "dt_raw", dt_raw, 3);
  kernels::SsdScanSizes s;
  s.B = xBC.size(0);
  s.T = xBC.size(1);
  s.H = dt_raw.size(2);
  s.N = options.state_dim;
  s.G = options.groups;
  s.dt_min = options.dt_min;
  s.dt_max = options.dt_max;
  const int64_t x_width = xBC.size(2) - 2 * s.G * s.N;
  if (s.T < 1 || s.H < 1 || s.N < 1 || s.G < 1 || s.H % s.G != 0 || x_width < s.H ||
      x_width % s.H != 0) {
    expect(false, kOp, "T, N, G >= 1, H a multiple of G, and xBC of width H*P + 2*G*N",
           fmt::format("T = {}, H = {}, N = {}, G = {}, a width of {}", s.T, s.H, s.N, s.G,
                       xBC.size(2)));
  }
  s.P = x_width / s.H;
  return s;
}

// Checked, with rows that the kernel can walk.
Operands make_operands(const Tensor& xBC, const Tensor& dt_raw, const Tensor& A, const Tensor& D,
                       const Tensor& dt_bias, const SsdScanOptions& options) {
  const kernels::SsdScanSizes s = sizes_of(xBC, dt_raw, options);
  expect_tensor(kOp, "dt_raw", dt_raw, {s.B, s.T, s.H}, xBC);
  expect_tensor(kOp, "A", A, {s.H}, xBC);
  expect_optional(kOp, "D", D, {s.H}, xBC);
  expect_optional(kOp, "dt_bias", dt_bias, {s.H}, xBC);
  return {with_contiguous_rows(xBC),
          with_contiguous_rows(dt_raw),
          A.contiguous(),
          D.defined() ? D.contiguous() : D,
          dt_bias.defined() ? dt_bias.contiguous() : dt_bias,
          s};
}

template <class Real>
kernels::SsdScanInputs<Real> kernel_inputs(const Operands& o) {
  const kernels::SsdScanSizes& s = o.sizes;
  kernels::SsdScanInputs<Real> in;
  in.sizes = s;
  in.x = o.xBC.data_ptr<Real>();
  in.B = in.x + s.H * s.P;
  in.C = in.B + s.G * s.N;
  in.xBC_stride_b = o.xBC.stride(0);
  in.xBC_stride_t = o.xBC.stride(1);
  in.dt_raw = o.dt_raw.data_ptr<Real>();
  in.dt_stride_b = o.dt_raw.stride(0);
  in.dt_stride_t = o.dt_raw.stride(1);
  in.A = o.A.data_ptr<Real>();
  in.D = data_or_null<Real>(o.D);
  in.dt_bias = data_or_null<Real>(o.dt_bias);
  return in;
}

// h_first may be undefined, h_last the same memory as h_first. block_states is undefined where no
// backward pass will follow.
void run_forward(const Operands& o, const Tensor& h_first, const std::vector<int64_t>& positions,
                 SsdScanResult& result, const Tensor& block_states) {
  const kernels::SsdScanSizes& s = o.sizes;
  with_real_type(o.xBC, [&](auto zero) {
    using Real = decltype(zero);
    kernels::SsdScanForward<Real> args;
    args.in = kernel_inputs<Real>(o);
    args.h_first = data_or_null<Real>(h_first);
    args.y = result.y.data_ptr<Real>();
    args.h_last = result.h_last.data_ptr<Real>();
    args.block_states = data_or_null<Real>(block_states);
    args.stat_positions = positions.data();
    args.K = static_cast<int64_t>(positions.size());
    args.stats = data_or_null<double>(result.stats);
    for_each_task(s.B * s.H, 5.0 * static_cast<double>(s.T * s.P * s.N),
                  [&](int64_t begin, int64_t end) { kernels::ssd_scan_forward(args, begin, end); });
  });
}

SsdScanResult make_result(const kernels::SsdScanSizes& s, const SsdScanOptions& options,
                          const Tensor& like) {
  const auto K = static_cast<int64_t>(options.stat_positions.size());
  int64_t least = 0;
  for (const int64_t position : options.stat_positions) {
    if (position < least || position >= s.T) {
      expect(false, kOp, fmt::format("stat_positions ascending in [0, {})", s.T),
             fmt::format("{} where at least {} had to come", position, least));
    }
    least = position + 1;
  }
  return {torch::empty({s.B, s.T, s.H, s.P}, like.options()),
          torch::empty({s.B, s.H, s.P, s.N}, like.options()),
          K == 0 ? Tensor() : torch::empty({s.B, K, s.H, 4}, like.options().dtype(torch::kDouble))};
}

// What the forward pass knows of its first state, and what is wanted of the backward pass.
struct FirstState {
  bool given;
  bool wants_gradient;
};

// The gradients in the order of the operands: xBC, dt_raw, A, D, dt_bias, h_first.
variable_list run_backward(const Operands& o, const Tensor& block_states, const Tensor& grad_y,
                           const Tensor& grad_h_last, FirstState first) {
  const kernels::SsdScanSizes& s = o.sizes;
  const int64_t blocks = kernels::ssd_blocks(s.T);
  const auto options = o.xBC.options();
  const Tensor grad_xBC = torch::empty({s.B, s.T, o.xBC.size(2)}, options);
  const Tensor grad_dt_raw = torch::empty({s.B, s.T, s.H}, options);
  const Tensor grad_h_first =
      first.wants_gradient ? torch::empty({s.B, s.H, s.P, s.N}, options) : Tensor();
  const Tensor sums = torch::empty({3, s.B, s.H}, options.dtype(torch::kDouble));  // A, D, dt_bias
  const Tensor block_grads = torch::empty_like(block_states);
  const Tensor block_sums = torch::empty({s.B, s.H, blocks, 3}, options.dtype(torch::kDouble));

  with_real_type(o.xBC, [&](auto zero) {
    using Real = decltype(zero);
    kernels::SsdScanBackward<Real> args;
    args.in = kernel_inputs<Real>(o);
    args.block_states = block_states.data_ptr<Real>();
    args.grad_y = grad_y.data_ptr<Real>();
    args.grad_y_stride_b = grad_y.stride(0);
    args.grad_y_stride_t = grad_y.stride(1);
    args.grad_h_last = data_or_null<Real>(grad_h_last);
    args.begins_at_zero = !first.given;
    args.grad_x = grad_xBC.data_ptr<Real>();
    args.grad_B = args.grad_x + s.H * s.P;
    args.grad_C = args.grad_B + s.G * s.N;
    args.grad_xBC_stride_b = grad_xBC.stride(0);
    args.grad_xBC_stride_t = grad_xBC.stride(1);
    args.grad_dt_raw = grad_dt_raw.data_ptr<Real>();
    args.grad_h_first = data_or_null<Real>(grad_h_first);
    args.grad_A = sums.data_ptr<double>();
    args.grad_D = args.grad_A + s.B * s.H;
    args.grad_dt_bias = args.grad_D + s.B * s.H;
    args.block_grads = block_grads.data_ptr<Real>();
    args.block_sums = block_sums.data_ptr<double>();
    const double state = static_cast<double>(s.P * s.N), heads = static_cast<double>(s.H / s.G);
    for_each_task(s.B * s.H, 2 * static_cast<double>(s.T) * state, [&](int64_t begin, int64_t end) {
      kernels::ssd_scan_backward_states(args, begin, end);
    });
    for_each_task(s.B * blocks * s.G, 10 * kernels::kSsdBlock * heads * state,
                  [&](int64_t begin, int64_t end) {
                    kernels::ssd_scan_backward_blocks(args, begin, end);
                  });
    kernels::ssd_scan_backward_sums(args);
  });
  const Tensor per_head = sums.sum(1).to(o.xBC.scalar_type());  // [3,H]
  return {grad_xBC,
          grad_dt_raw,
          per_head[0],
          o.D.defined() ? per_head[1] : Tensor(),
          o.dt_bias.defined() ? per_head[2] : Tensor(),
          grad_h_first};
}

class SsdScanFunction : public torch::autograd::Function<SsdScanFunction> {
 public:
  static variable_list forward(AutogradContext* ctx, const Tensor& xBC, const Tensor& dt_raw,
                               const Tensor& A, const std::optional<Tensor>& optional_D,
                               const std::optional<Tensor>& optional_dt_bias,
                               const std::optional<Tensor>& optional_h_first,
                               const SsdScanOptions& options) {
    const Tensor D = optional_D.value_or(Tensor()), dt_bias = optional_dt_bias.value_or(Tensor());
    const Tensor h_first = optional_h_first.value_or(Tensor());
    const Operands o = make_operands(xBC, dt_raw, A, D, dt_bias, options);
    const kernels::SsdScanSizes& s = o.sizes;
    SsdScanResult result = make_result(s, options, xBC);
    const Tensor block_states = torch::empty({s.B, s.H, kernels::ssd_blocks(s.T), s.P, s.N}, xBC.options());
    run_forward(o, h_first, options.stat_positions, result, block_states);

    ctx->set_materialize_grads(false);
    ctx->save_for_backward({xBC, dt_raw, A, D, dt_bias, block_states});
    ctx->saved_data["groups"] = options.groups;
    ctx->saved_data["state_dim"] = options.state_dim;
    ctx->saved_data["dt_min"] = options.dt_min;
    ctx->saved_data["dt_max"] = options.dt_max;
    ctx->saved_data["has_h_first"] = h_first.defined();
    if (!result.stats.defined()) return {result.y, result.h_last};
    ctx->mark_non_differentiable({result.stats});
    return {result.y, result.h_last, result.stats};
  }

  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    expect_first_derivative(kOp);
    const variable_list saved = ctx->get_saved_variables();
    SsdScanOptions options;
    options.groups = ctx->saved_data["groups"].toInt();
    options.state_dim = ctx->saved_data["state_dim"].toInt();
    options.dt_min = ctx->saved_data["dt_min"].toDouble();
    options.dt_max = ctx->saved_data["dt_max"].toDouble();
    const Operands o = make_operands(saved[0], saved[1], saved[2], saved[3], saved[4], options);
    const kernels::SsdScanSizes& s = o.sizes;
    const Tensor grad_y = grads[0].defined()
                              ? with_contiguous_rows(grads[0].flatten(2))
                              : torch::zeros({s.B, s.T, s.H * s.P}, saved[0].options());
    const Tensor grad_h_last = grads[1].defined() ? grads[1].contiguous() : Tensor();
    const bool given = ctx->saved_data["has_h_first"].toBool();
    // Autograd counts the operands that are defined.
    const size_t index = 3 + (saved[3].defined() ? 1 : 0) + (saved[4].defined() ? 1 : 0);
    variable_list result = run_backward(o, saved[5], grad_y, grad_h_last,
                                        {given, given && ctx->needs_input_grad(index)});
    result.emplace_back();  // options
    return result;
  }
};

}  // namespace

SsdScanResult ssd_scan(const Tensor& xBC, const Tensor& dt_raw, const Tensor& A, const Tensor& D,
                       const Tensor& dt_bias, const Tensor& h_first,
                       const SsdScanOptions& options) {
  const Operands o = make_operands(xBC, dt_raw, A, D, dt_bias, options);
  const kernels::SsdScanSizes& s = o.sizes;
  expect_optional(kOp, "h_first", h_first, {s.B, s.H, s.P, s.N}, xBC);
  const Tensor first = h_first.defined() ? h_first.contiguous() : h_first;
  if (any_requires_grad({xBC, dt_raw, A, D, dt_bias, h_first})) {
    const variable_list outputs = SsdScanFunction::apply(
        xBC, dt_raw, A, to_optional(D), to_optional(dt_bias), to_optional(first), options);
    return {outputs[0], outputs[1], outputs.size() > 2 ? outputs[2] : Tensor()};
  }
  SsdScanResult result = make_result(s, options, xBC);
  run_forward(o, first, options.stat_positions, result, Tensor());
  return result;
}

Tensor ssd_step(const Tensor& xBC, const Tensor& dt_raw, const Tensor& A, const Tensor& D,
                const Tensor& dt_bias, Tensor& h, const SsdScanOptions& options) {
  expect_operand("ssd_step", "xBC", xBC, 2);
  expect_operand("ssd_step", "dt_raw", dt_raw, 2);
  const Operands o = make_operands(xBC.unsqueeze(1), dt_raw.unsqueeze(1), A, D, dt_bias, options);
  const kernels::SsdScanSizes& s = o.sizes;
  expect_tensor("ssd_step", "h", h, {s.B, s.H, s.P, s.N}, xBC);
  expect(h.is_contiguous(), "ssd_step", "h contiguous", "a strided view");
  expect(!any_requires_grad({xBC, dt_raw, A, D, dt_bias, h}), "ssd_step",
         "operands without gradients, since it updates h in place", "one that requires grad");
  SsdScanResult result{torch::empty({s.B, 1, s.H, s.P}, xBC.options()), h, Tensor()};
  run_forward(o, h, {}, result, Tensor());
  return result.y.squeeze(1);
}

}  // namespace farstate::ops
