// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/bench_kernels.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/ops/bf16_product.h"
#include "core/ops/causal_conv1d.h"
#include "core/ops/cross_entropy.h"
#include "core/ops/gated_rmsnorm.h"
#include "core/ops/linear.h"
#include "core/ops/ssd_scan.h"
#include "core/ops/state_stats.h"
#include "core/session/device.h"

namespace farstate {
namespace {

using at::Tensor;
using Tensors = std::vector<Tensor>;

// Rounding errors of float32 over sums of up to some thousand terms; what is wrong is off by percents.
constexpr double kBound = 2e-5;

Tensor randn(Rng& rng, std::vector<int64_t> shape) {
  Tensor t = at::empty(shape, at::kFloat);
  rng.fill_normal({t.data_ptr<float>(), static_cast<size_t>(t.numel())}, 0.0F, 1.0F);
  return t;
}

// `run` maps operands to the results whose gradients are taken.
struct Operator {
  std::string name;
  std::string shape;
  std::function<Tensors(Rng&)> make;
  std::function<Tensors(const Tensors&)> run, oracle;
  double forward_flops, backward_flops;
  double forward_bytes, backward_bytes;

  Tensors operands(const c10::Device& device = at::kCPU) const {
    Rng rng(1, RngStream::kMeasure);
    Tensors made = make(rng);
    for (Tensor& operand : made) operand = operand.to(device);
    return made;
  }
};

Operator scan(int64_t B, int64_t T, const Mamba2Config& c) {
  const int64_t H = c.heads, P = c.head_dim, N = c.state_dim, G = c.groups;
  ops::SsdScanOptions options;
  options.groups = G;
  options.state_dim = N;
  const auto with = [options](auto op) {
    return [options, op](const Tensors& o) {
      const auto result = op(o[0], o[1], o[2], o[3], o[4], o[5], options);
      return Tensors{result.y, result.h_last};
    };
  };
  const double elements = static_cast<double>(B * T * H * P * N);
  const double bytes = 4.0 * static_cast<double>(B * T * (2 * H * P + 2 * G * N + H));
  return {"ssd_scan",
          fmt::format("B {} T {} H {} P {} N {} G {}", B, T, H, P, N, G),
          [=](Rng& rng) {
            return Tensors{randn(rng, {B, T, H * P + 2 * G * N}),
                           randn(rng, {B, T, H}) - 2,
                           -at::linspace(1, 16, H),
                           randn(rng, {H}),
                           at::zeros({H}),
                           randn(rng, {B, H, P, N})};
          },
          with(ops::ssd_scan), with(ops::ssd_scan_naive), 5 * elements, 14 * elements, bytes, 2 * bytes};
}

Operator convolution(int64_t B, int64_t T, const Mamba2Config& c) {
  const int64_t C = c.conv_channels(), W = c.conv_width;
  const auto with = [](auto op) {
    return [op](const Tensors& o) {
      const auto result = op(o[0], o[1], o[2], o[3]);
      return Tensors{result.y, result.context};
    };
  };
  const double elements = static_cast<double>(B * T * C);
  const auto w = static_cast<double>(W);
  return {"causal_conv1d",
          fmt::format("B {} T {} C {} W {}", B, T, C, W),
          [=](Rng& rng) {
            return Tensors{randn(rng, {B, T, C}), randn(rng, {C, W}), randn(rng, {C}),
                           randn(rng, {B, W - 1, C})};
          },
          with(ops::causal_conv1d_silu), with(ops::causal_conv1d_silu_naive), (2 * w + 2) * elements,
          (6 * w + 8) * elements, 8 * elements, 12 * elements};
}

Operator norm(int64_t B, int64_t T, const Mamba2Config& c) {
  const int64_t R = B * T, C = c.inner_dim(), G = c.groups;
  const auto with = [G](auto op) {
    return [G, op](const Tensors& o) { return Tensors{op(o[0], o[1], o[2], G, 1e-5)}; };
  };
  const double elements = static_cast<double>(R * C);
  return {"gated_rmsnorm",
          fmt::format("R {} C {} G {}", R, C, G),
          [=](Rng& rng) { return Tensors{randn(rng, {R, C}), randn(rng, {R, C}), randn(rng, {C})}; },
          with(ops::gated_rmsnorm), with(ops::gated_rmsnorm_naive), 6 * elements, 16 * elements,
          12 * elements, 20 * elements};
}

Operator head(int64_t B, int64_t T, const Mamba2Config& c) {
  const int64_t R = B * T, D = c.model_dim, V = c.vocabulary;
  const auto targets = [=](const Tensor& like) {
    return at::arange(R, like.options().dtype(at::kLong)) % V;
  };
  const double products = static_cast<double>(R * D) * static_cast<double>(V);
  const double bytes = 4.0 * static_cast<double>(R * D + V * D);
  return {"head_nll",
          fmt::format("R {} D {} V {}", R, D, V),
          [=](Rng& rng) { return Tensors{randn(rng, {R, D}), randn(rng, {V, D}) / 8}; },
          [=](const Tensors& o) { return Tensors{ops::head_nll(o[0], o[1], targets(o[0]))}; },
          [=](const Tensors& o) { return Tensors{ops::head_nll_naive(o[0], o[1], targets(o[0]))}; },
          2 * products, 6 * products, bytes, 2 * bytes};
}

std::vector<Operator> operators(int64_t B, int64_t T, const Mamba2Config& config) {
  return {scan(B, T, config), convolution(B, T, config), norm(B, T, config), head(B, T, config)};
}

Tensors leaves(const Tensors& operands, at::ScalarType dtype) {
  Tensors result;
  for (const Tensor& operand : operands) {
    result.push_back(operand.detach().to(dtype, false, true).requires_grad_());
  }
  return result;
}

Tensors gradients(const Tensors& results, const Tensors& of) {
  Tensors ones;
  for (const Tensor& result : results) ones.push_back(at::ones_like(result));
  return torch::autograd::grad(results, of, ones, /*retain_graph=*/true);
}

double error_of(const Tensor& got, const Tensor& wanted) {
  const Tensor error = got.detach().to(at::kDouble) - wanted.detach();
  return (error.norm() / wanted.detach().norm()).item<double>();
}

SelftestCheck check_operator(const Operator& op) {
  const Tensors operands = op.operands();
  const Tensors of = leaves(operands, at::kFloat), exact_of = leaves(operands, at::kDouble);
  Tensors got = op.run(of), wanted = op.oracle(exact_of);
  for (const Tensor& gradient : gradients(got, of)) got.push_back(gradient);
  for (const Tensor& gradient : gradients(wanted, exact_of)) wanted.push_back(gradient);
  double worst = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    const double error = error_of(got[i], wanted[i]);
    worst = std::isfinite(error) ? std::max(worst, error) : error;
    if (!std::isfinite(worst)) break;
  }
  return {fmt::format("{} {}: results and gradients", op.name, op.shape), worst, kBound,
          worst <= kBound};
}

SelftestCheck check_projection() {
  Rng rng(1, RngStream::kMeasure);
  const Tensor x = randn(rng, {70, 300}), weight = randn(rng, {50, 300});
  const double error = error_of(ops::linear(x, weight),
                                x.to(at::kDouble).mm(weight.to(at::kDouble).t()));
  return {"projection", error, kBound, error <= kBound};
}

// Of operands that are rounded alike on both sides.
SelftestCheck check_bf16_product() {
  Rng rng(1, RngStream::kMeasure);
  const Tensor a = randn(rng, {70, 130}).to(at::kBFloat16);
  const Tensor b = randn(rng, {130, 50}).to(at::kBFloat16);
  const double error = error_of(ops::bf16_product(ops::bf16_operand(a), ops::bf16_operand(b)),
                                a.to(at::kDouble).mm(b.to(at::kDouble)));
  return {"product of bfloat16 matrices", error, kBound, error <= kBound};
}

// A device is given several calls at a time, so that waiting for it is a small part of what is timed.
Timing time_on(const c10::Device& device, const std::function<void()>& call, const TimingPace& pace) {
  if (device.is_cpu()) return time_work(call, pace);
  constexpr int kCalls = 16;
  const auto calls = [&] {
    for (int i = 0; i < kCalls; ++i) call();
  };
  Timing timing = time_work(calls, pace, [&] { synchronize(device); });
  timing.seconds /= kCalls;
  return timing;
}

KernelBench forward(const Operator& op, const c10::Device& device) {
  return {.name = op.name, .shape = op.shape, .flops = op.forward_flops, .bytes = op.forward_bytes,
          .time = [op, device](const TimingPace& pace) {
            const at::NoGradGuard no_grad;
            const Tensors operands = op.operands(device);
            return time_on(device, [&] { op.run(operands); }, pace);
          }};
}

KernelBench backward(const Operator& op, const c10::Device& device) {
  return {.name = op.name + " backward", .shape = op.shape, .flops = op.backward_flops,
          .bytes = op.backward_bytes, .time = [op, device](const TimingPace& pace) {
            const Tensors of = leaves(op.operands(device), at::kFloat);
            const Tensors results = op.run(of);
            return time_on(device, [&] { gradients(results, of); }, pace);
          }};
}

// Decoding: one position of every row, the state in place.
KernelBench step(int64_t B, const Mamba2Config& config, const c10::Device& device) {
  const Operator one = scan(B, 1, config);
  const auto state = static_cast<double>(B * config.inner_dim() * config.state_dim);
  return {.name = "ssd_step", .shape = one.shape, .flops = one.forward_flops,
          .bytes = one.forward_bytes + 8 * state, .time = [one, config, device](const TimingPace& pace) {
            const at::NoGradGuard no_grad;
            const Tensors o = one.operands(device);
            const Tensor xBC = o[0].select(1, 0), dt_raw = o[1].select(1, 0);
            Tensor h = o[5];
            ops::SsdScanOptions options;
            options.groups = config.groups;
            options.state_dim = config.state_dim;
            return time_on(
                device, [&] { ops::ssd_step(xBC, dt_raw, o[2], o[3], o[4], h, options); }, pace);
          }};
}

KernelBench statistics(int64_t B, const Mamba2Config& c, const c10::Device& device) {
  const double elements = static_cast<double>(B * c.inner_dim() * c.state_dim);
  return {.name = "state_stats",
          .shape = fmt::format("B {} H {} P {} N {}", B, c.heads, c.head_dim, c.state_dim),
          .flops = 4 * elements, .bytes = 4 * elements,
          .time = [shape = std::vector{B, c.heads, c.head_dim, c.state_dim},
                   device](const TimingPace& pace) {
            Rng rng(1, RngStream::kMeasure);
            const Tensor h = randn(rng, shape).to(device);
            return time_on(device, [&] { ops::state_stats(h); }, pace);
          }};
}

enum class Product { kLibrary, kFarstate, kBFloat16 };

// a [M,K] times the weight [N,K] of a projection; the library's is timed as at::linear is.
KernelBench product(int64_t M, int64_t K, int64_t N, Product by, const c10::Device& device) {
  const auto d = [](int64_t v) { return static_cast<double>(v); };
  const bool bf16 = by == Product::kBFloat16;
  const double width = bf16 ? 2 : 4;
  return {.name = "gemm", .shape = fmt::format("{} x {} x {}", M, K, N),
          .dtype = bf16 ? "bfloat16" : "float32",
          .by = by == Product::kFarstate ? "Farstate"
                : device.is_cuda()       ? "cuBLAS"
                : at::hasMKL()           ? "MKL"
                                         : "LibTorch",
          .flops = 2 * d(M) * d(K) * d(N),
          .bytes = width * (d(M) * d(K) + d(K) * d(N)) + 4 * d(M) * d(N),
          .time = [=](const TimingPace& pace) {
            const at::NoGradGuard no_grad;
            Rng rng(1, RngStream::kMeasure);
            const Tensor a = randn(rng, {M, K}).to(device);
            const Tensor weight = randn(rng, {N, K}).to(device);
            if (by == Product::kFarstate) {
              return time_on(device, [&] { ops::linear(a, weight); }, pace);
            }
            if (!bf16) {
              Tensor c = at::empty({M, N}, a.options());
              return time_on(device, [&] { at::mm_out(c, a, weight.t()); }, pace);
            }
            const Tensor narrow_a = ops::bf16_operand(a), narrow = ops::bf16_operand(weight);
            return time_on(device, [&] { ops::bf16_product(narrow_a, narrow.t()); }, pace);
          }};
}

}  // namespace

std::vector<SelftestCheck> check_operators() {
  Mamba2Config odd;
  odd.model_dim = 40;
  odd.heads = 4;
  odd.head_dim = 24;
  odd.state_dim = 40;
  odd.groups = 2;
  odd.vocabulary = 333;
  std::vector<SelftestCheck> checks;
  for (const Operator& op : operators(2, 70, odd)) checks.push_back(check_operator(op));
  checks.push_back(check_projection());
  checks.push_back(check_bf16_product());
  return checks;
}

void refuse_wrong_numbers(const std::vector<SelftestCheck>& checks) {
  for (const SelftestCheck& check : checks) {
    if (check.passed) continue;
    throw Error(ErrorKind::kInternal,
                fmt::format("Nothing was timed: this machine computes wrong numbers. The check \"{}\" is "
                            "off by {:.2e}, and {:.0e} is allowed; please report it with what "
                            "\"farstate selftest\" prints.",
                            check.name, check.error, check.bound));
  }
}

std::vector<KernelBench> operator_benches(const Mamba2Config& config, int64_t B, int64_t T,
                                          const c10::Device& device) {
  std::vector<KernelBench> benches;
  for (const Operator& op : operators(B, T, config)) {
    benches.push_back(forward(op, device));
    benches.push_back(backward(op, device));
  }
  benches.push_back(step(B, config, device));
  benches.push_back(statistics(B, config, device));
  return benches;
}

std::vector<KernelBench> product_benches(bool bf16, const c10::Device& device) {
  // Square ones, and the projections into and out of the layers of the shapes that are timed.
  constexpr int64_t kShapes[][3] = {
      {1024, 1024, 1024}, {2048, 2048, 2048}, {2048, 64, 324},   {2048, 128, 648},
      {2048, 256, 1288},  {2048, 512, 256},   {2048, 768, 3352}, {2048, 1536, 768}};
  std::vector<KernelBench> benches;
  for (const Product by : {Product::kLibrary, Product::kFarstate, Product::kBFloat16}) {
    if (by == Product::kBFloat16 && !bf16) continue;
    if (by == Product::kFarstate && !device.is_cpu()) continue;  // a device's are its library's
    for (const auto& [M, K, N] : kShapes) benches.push_back(product(M, K, N, by, device));
  }
  return benches;
}

KernelSpeed time_kernel(const KernelBench& bench, const TimingPace& pace) {
  const Timing timing = bench.time(pace);
  return {.name = bench.name,
          .shape = bench.shape,
          .dtype = bench.dtype,
          .by = bench.by,
          .gflops = bench.flops / timing.seconds / 1e9,
          .gbytes_per_second = bench.bytes / timing.seconds / 1e9,
          .timing = timing};
}

}  // namespace farstate
