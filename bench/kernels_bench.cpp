// SPDX-License-Identifier: GPL-3.0-or-later
// Speed of the operators, forward and backward, beside this machine's matrix multiplication in
// the same run. Every operator first has to equal its oracle; a wrong one is not timed.
//   kernels_bench [threads]
#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/types.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "core/ops/causal_conv1d.h"
#include "core/ops/cross_entropy.h"
#include "core/ops/gated_rmsnorm.h"
#include "core/ops/ssd_scan.h"
#include "core/ops/state_stats.h"
#include "kernels/simd/isa.h"

namespace farstate {
namespace {

using torch::Tensor;

// Seconds of the fastest call within about half a second, after one to warm up: whatever else the
// machine does only adds to it.
double seconds_of(const std::function<void()>& call) {
  using Clock = std::chrono::steady_clock;
  call();
  double least = std::numeric_limits<double>::infinity(), spent = 0;
  for (int calls = 0; spent < 0.5 || calls < 5; ++calls) {
    const auto begin = Clock::now();
    call();
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    least = std::min(least, seconds);
    spent += seconds;
  }
  return least;
}

double gemm_gflops() {
  const Tensor a = torch::randn({1024, 1024}), b = torch::randn({1024, 1024});
  return 2.0 * 1024 * 1024 * 1024 / seconds_of([&] { at::mm(a, b); }) / 1e9;
}

// One operator at one size. `run` maps operands to the results whose gradients are taken.
struct Benchmark {
  std::string name, size;
  std::vector<Tensor> operands;  // float leaves
  std::function<std::vector<Tensor>(const std::vector<Tensor>&)> run, oracle;
  double forward_operations, backward_operations;
  double forward_bytes, backward_bytes;  // read or written at least once
};

std::vector<Tensor> leaves(const std::vector<Tensor>& operands, torch::ScalarType dtype) {
  std::vector<Tensor> result;
  for (const Tensor& operand : operands) {
    result.push_back(operand.detach().to(dtype, false, true).requires_grad_());
  }
  return result;
}

std::vector<Tensor> gradients(const std::vector<Tensor>& results, const std::vector<Tensor>& of) {
  std::vector<Tensor> ones;
  for (const Tensor& result : results) ones.push_back(torch::ones_like(result));
  return torch::autograd::grad(results, of, ones, /*retain_graph=*/true);
}

// The largest ratio of an error's norm to its oracle's, over results and gradients.
double worst_error(const Benchmark& benchmark) {
  const auto of = leaves(benchmark.operands, torch::kFloat);
  const auto exact_of = leaves(benchmark.operands, torch::kDouble);
  auto got = benchmark.run(of), want = benchmark.oracle(exact_of);
  for (const Tensor& gradient : gradients(got, of)) got.push_back(gradient);
  for (const Tensor& gradient : gradients(want, exact_of)) want.push_back(gradient);
  double worst = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    const Tensor error = got[i].detach().to(torch::kDouble) - want[i].detach();
    worst = std::max(worst, (error.norm() / want[i].detach().norm()).item<double>());
  }
  return worst;
}

void print_line(const std::string& name, const std::string& size, double seconds, double operations,
                double bytes, double gemm) {
  const double gflops = operations / seconds / 1e9;
  fmt::print("{:24} {:28} {:9.3f} {:9.1f} {:8.0f} % {:8.1f}\n", name, size, seconds * 1e3, gflops,
             100 * gflops / gemm, bytes / seconds / 1e9);
}

bool measure(const Benchmark& benchmark, const Benchmark& small, double gemm) {
  constexpr double kAllowed = 2e-5;  // float rounding over sums of up to some thousand terms
  const double error = worst_error(small);
  if (!(error < kAllowed)) {
    fmt::print("{:24} is wrong: error {} of the oracle's norm, allowed {}\n", benchmark.name, error,
               kAllowed);
    return false;
  }
  {
    const at::NoGradGuard no_grad;
    print_line(benchmark.name, benchmark.size,
               seconds_of([&] { benchmark.run(benchmark.operands); }), benchmark.forward_operations,
               benchmark.forward_bytes, gemm);
  }
  const auto of = leaves(benchmark.operands, torch::kFloat);
  const auto results = benchmark.run(of);
  print_line(benchmark.name + ", backward", "", seconds_of([&] { gradients(results, of); }),
             benchmark.backward_operations, benchmark.backward_bytes, gemm);
  return true;
}

Benchmark scan(int64_t B, int64_t T, int64_t H, int64_t P, int64_t N) {
  ops::SsdScanOptions options;
  options.state_dim = N;
  const auto with = [options](auto op) {
    return [options, op](const std::vector<Tensor>& o) {
      const auto result = op(o[0], o[1], o[2], o[3], o[4], o[5], options);
      return std::vector<Tensor>{result.y, result.h_last};
    };
  };
  const double elements = double(B * T * H * P * N), row = double(B * T * (2 * H * P + 2 * N));
  return {
      "ssd_scan",
      fmt::format("B {} T {} H {} P {} N {}", B, T, H, P, N),
      {torch::randn({B, T, H * P + 2 * N}), torch::randn({B, T, H}) - 2, -torch::linspace(1, 16, H),
       torch::randn({H}), torch::zeros({H}), torch::randn({B, H, P, N})},
      with(ops::ssd_scan),
      with(ops::ssd_scan_naive),
      5 * elements,
      14 * elements,
      4 * row,
      8 * row};
}

Benchmark conv(int64_t B, int64_t T, int64_t C, int64_t W) {
  const auto with = [](auto op) {
    return [op](const std::vector<Tensor>& o) {
      const auto result = op(o[0], o[1], o[2], o[3]);
      return std::vector<Tensor>{result.y, result.context};
    };
  };
  const double elements = double(B * T * C);
  return {"causal_conv1d",
          fmt::format("B {} T {} C {} W {}", B, T, C, W),
          {torch::randn({B, T, C}), torch::randn({C, W}), torch::randn({C}),
           torch::randn({B, W - 1, C})},
          with(ops::causal_conv1d_silu),
          with(ops::causal_conv1d_silu_naive),
          double(2 * W + 2) * elements,
          double(6 * W + 8) * elements,
          8 * elements,
          12 * elements};
}

Benchmark norm(int64_t R, int64_t C) {
  const auto with = [](auto op) {
    return [op](const std::vector<Tensor>& o) {
      return std::vector<Tensor>{op(o[0], o[1], o[2], 1, 1e-5)};
    };
  };
  const double elements = double(R * C);
  return {"gated_rmsnorm",
          fmt::format("R {} C {}", R, C),
          {torch::randn({R, C}), torch::randn({R, C}), torch::randn({C})},
          with(ops::gated_rmsnorm),
          with(ops::gated_rmsnorm_naive),
          6 * elements,
          16 * elements,
          12 * elements,
          20 * elements};
}

Benchmark head(int64_t R, int64_t D, int64_t V) {
  const Tensor targets = torch::arange(R) % V;
  const double products = double(R * D * V);
  return {
      "head_nll",
      fmt::format("R {} D {} V {}", R, D, V),
      {torch::randn({R, D}), torch::randn({V, D}) / 8},
      [=](const auto& o) { return std::vector<Tensor>{ops::head_nll(o[0], o[1], targets)}; },
      [=](const auto& o) { return std::vector<Tensor>{ops::head_nll_naive(o[0], o[1], targets)}; },
      2 * products,
      6 * products,
      4 * double(R * D + V * D),
      8 * double(R * D + V * D)};
}

// Decoding: one position for every head of a model's layer, the state in place.
void measure_step(int64_t H, int64_t P, int64_t N, double gemm) {
  const at::NoGradGuard no_grad;
  Benchmark one = scan(1, 1, H, P, N);
  ops::SsdScanOptions options;
  options.state_dim = N;
  Tensor h = torch::randn({1, H, P, N});
  const Tensor xBC = one.operands[0].select(1, 0), dt_raw = one.operands[1].select(1, 0);
  const double seconds = seconds_of([&] {
    ops::ssd_step(xBC, dt_raw, one.operands[2], one.operands[3], one.operands[4], h, options);
  });
  print_line("ssd_step", one.size, seconds, one.forward_operations, 8.0 * double(H * P * N), gemm);
}

void measure_stats(int64_t H, int64_t P, int64_t N, double gemm) {
  const Tensor h = torch::randn({1, H, P, N});
  print_line("state_stats", fmt::format("H {} P {} N {}", H, P, N),
             seconds_of([&] { ops::state_stats(h); }), 4.0 * double(H * P * N),
             4.0 * double(H * P * N), gemm);
}

int run(int threads) {
  at::set_num_threads(threads);
  torch::manual_seed(1);
  const double gemm = gemm_gflops();
  fmt::print("{} threads, kernels for {}, fp32 GEMM of 1024: {:.1f} GFLOP/s\n\n", threads,
             kernels::isa_name(kernels::best_isa()), gemm);
  fmt::print("{:24} {:28} {:>9} {:>9} {:>10} {:>8}\n", "", "", "ms", "GFLOP/s", "of GEMM", "GB/s");
  // Sizes of mamba2-130m, and of a small model that a laptop trains.
  const bool right = measure(scan(1, 512, 24, 64, 128), scan(1, 70, 3, 64, 128), gemm) &
                     measure(scan(8, 256, 2, 64, 64), scan(2, 70, 2, 64, 64), gemm) &
                     measure(conv(1, 512, 1792, 4), conv(2, 40, 83, 4), gemm) &
                     measure(norm(512, 1536), norm(70, 1536), gemm) &
                     measure(head(512, 768, 16384), head(40, 64, 1000), gemm);
  measure_step(24, 64, 128, gemm);
  measure_stats(24, 64, 128, gemm);
  return right ? 0 : 1;
}

}  // namespace
}  // namespace farstate

int main(int argc, char** argv) {
  return farstate::run(argc > 1 ? std::atoi(argv[1]) : at::get_num_threads());
}
