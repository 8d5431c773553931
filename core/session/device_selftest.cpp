// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/device_selftest.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/stack.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "core/base/stop.h"
#include "core/models/decode_graph.h"
#include "core/models/mamba2.h"
#include "core/models/placement.h"
#include "core/models/unroll.h"
#include "core/ops/backend.h"
#include "core/ops/causal_conv1d.h"
#include "core/ops/cross_entropy.h"
#include "core/ops/gated_rmsnorm.h"
#include "core/ops/linear.h"
#include "core/ops/on_device.h"
#include "core/ops/ssd_scan.h"
#include "core/ops/state_stats.h"
#include "core/session/adamw.h"
#include "core/session/batch_gradients.h"
#include "core/session/device.h"
#include "core/session/training_graph.h"

namespace farstate {
namespace {

using at::Tensor;
using ops::Compute;
using ops::MatrixInputs;
using Tensors = std::vector<Tensor>;

// Errors are root mean squares of the difference over those of the reference, which is computed on
// the CPU in double. fp32 adds up roundings of 2^-24 like a random walk, within a few hundred units
// in these sizes. Where the operands of products are rounded, each is off by at most 2^-11 (tf32) or
// 2^-9 (bf16), and no result lies behind more than four products with two such operands; errors of
// different terms don't know of one another, so eight units are beyond what can add up. A wrong index
// or a missing term is off by whole percents.
double bound_of(MatrixInputs inputs) {
  switch (inputs) {
    case MatrixInputs::kFp32: return 1e-5;
    case MatrixInputs::kTf32: return 8 * 0x1p-11;
    case MatrixInputs::kBf16: return 8 * 0x1p-9;
  }
  return 0;
}

const char* name_of(MatrixInputs inputs) {
  constexpr std::array names = {"fp32", "tf32", "bf16"};
  return names[static_cast<size_t>(inputs)];
}

constexpr std::array kAllInputs = {MatrixInputs::kFp32, MatrixInputs::kTf32, MatrixInputs::kBf16};

class Operands {
 public:
  explicit Operands(uint64_t seed) : rng_(seed, RngStream::kMeasure) {}

  Tensor normal(std::vector<int64_t> shape) {
    const Tensor t = at::empty(shape, at::kFloat);
    rng_.fill_normal({t.data_ptr<float>(), static_cast<size_t>(t.numel())}, 0.0F, 1.0F);
    return t;
  }
  Tensor ids(std::vector<int64_t> shape, int64_t below) {
    const Tensor t = at::empty(shape, at::kLong);
    for (int64_t i = 0; i < t.numel(); ++i) t.data_ptr<int64_t>()[i] = rng_.below(below);
    return t;
  }

 private:
  Rng rng_;
};

double rms_ratio(const Tensor& value, const Tensor& reference) {
  const Tensor wanted = reference.detach().to(at::kDouble).cpu();
  const Tensor got = value.detach().cpu().to(at::kDouble);
  return (got - wanted).norm().item<double>() / std::max(wanted.norm().item<double>(), 1e-300);
}

double worst_ratio(const Tensors& values, const Tensors& references) {
  double worst = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const double ratio = rms_ratio(values[i], references[i]);
    if (!(ratio <= worst)) worst = ratio;  // also where it is not a number
  }
  return worst;
}

class DeviceProof {
 public:
  DeviceProof(const c10::Device& device, const std::function<void(const SelftestCheck&)>& on_check)
      : device_(device), on_check_(on_check) {}
  ~DeviceProof() { ops::set_matrix_inputs(MatrixInputs::kFp32); }

  void operators() {
    for (const MatrixInputs inputs : kAllInputs) {
      ops::set_matrix_inputs(inputs);
      for (const auto& [T, G] : {std::pair<int64_t, int64_t>{1, 2}, {63, 4}, {65, 1}, {257, 2}}) {
        scan(inputs, {.B = 2, .T = T, .H = 4, .P = 24, .N = 40, .G = G});
      }
      scan(inputs, {.B = 1, .T = 512, .H = 24, .P = 64, .N = 128, .G = 1});  // of mamba2-130m
      projections(inputs);
    }
    ops::set_matrix_inputs(MatrixInputs::kFp32);
    steps();
    convolution();
    norm();
    statistics();
    head(Compute::kFloat32);
    head(Compute::kBFloat16);
  }

  void models() {
    const auto here = small_model(), there = small_model();
    move_to(*there, device_);
    reading(*here, *there);
    decoding(*there);
    training(*here, *there);
  }

 private:
  using Function = std::function<Tensors(const Tensors&)>;

  void report(const std::string& name, double error, double bound) {
    throw_if_stopped();
    on_check_({name, error, bound, std::isfinite(error) && error <= bound});
  }

  struct Run {
    Tensors results, gradients;
  };
  // All gradients of a weighted sum of the results, with weights that no symmetry hides behind.
  static Run run(const Function& function, const Tensors& operands, const c10::Device& device,
                 at::ScalarType dtype) {
    Tensors leaves;
    for (const Tensor& t : operands) {
      leaves.push_back(t.detach().to(dtype).to(device).requires_grad_(true));
    }
    Run all{function(leaves), {}};
    Operands weights(17);
    Tensor sum;
    for (const Tensor& result : all.results) {
      if (!result.requires_grad()) continue;
      const Tensor part =
          (result * weights.normal(result.sizes().vec()).to(result.dtype()).to(device)).sum();
      sum = sum.defined() ? sum + part : part;
    }
    sum.backward();
    for (const Tensor& leaf : leaves) all.gradients.push_back(leaf.grad());
    return all;
  }

  void compare(const std::string& name, const Function& function, const Tensors& operands,
               double bound) {
    const Run wanted = run(function, operands, at::kCPU, at::kDouble);
    const Run got = run(function, operands, device_, at::kFloat);
    report(name + ": results", worst_ratio(got.results, wanted.results), bound);
    report(name + ": gradients", worst_ratio(got.gradients, wanted.gradients), bound);
  }

  static Tensors scan_operands(const kernels::SsdScanSizes& s) {
    Operands random(static_cast<uint64_t>(100 * s.T + s.G));
    return {random.normal({s.B, s.T, s.H * s.P + 2 * s.G * s.N}),
            random.normal({s.B, s.T, s.H}) - 1,
            -random.normal({s.H}).abs() - 0.01,
            random.normal({s.H}),
            random.normal({s.H}),
            random.normal({s.B, s.H, s.P, s.N})};
  }

  static ops::SsdScanOptions scan_options(const kernels::SsdScanSizes& s) {
    ops::SsdScanOptions options;
    options.groups = s.G;
    options.state_dim = s.N;
    return options;
  }

  // Both ends of the state take part; the statistics are compared with the rest of the results.
  void scan(MatrixInputs inputs, const kernels::SsdScanSizes& s) {
    ops::SsdScanOptions options = scan_options(s);
    options.stat_positions = {s.T / 2};
    if (s.T > 1) options.stat_positions.push_back(s.T - 1);
    const Function function = [options](const Tensors& o) {
      const ops::SsdScanResult r = ops::ssd_scan(o[0], o[1], o[2], o[3], o[4], o[5], options);
      // The sum cancels, and the count is zero; the sum of squares and the maximum say enough.
      return Tensors{r.y, r.h_last, r.stats.select(-1, 1).sqrt(), r.stats.select(-1, 2)};
    };
    compare(fmt::format("ssd_scan T={} H={} P={} N={} G={}, {}", s.T, s.H, s.P, s.N, s.G,
                        name_of(inputs)),
            function, scan_operands(s), bound_of(inputs));
  }

  // bf16 operands are asked for by the caller; the other two are the device's way with fp32.
  void projections(MatrixInputs inputs) {
    Operands random(5);
    const Compute compute =
        inputs == MatrixInputs::kBf16 ? Compute::kBFloat16 : Compute::kFloat32;
    const Function function = [compute](const Tensors& o) {
      const bool exact = o[0].scalar_type() == at::kDouble;
      return Tensors{ops::linear(o[0], o[1], o[2], exact ? Compute::kFloat32 : compute)};
    };
    compare(fmt::format("linear 130 x 96 -> 70, {}", name_of(inputs)), function,
            {random.normal({2, 65, 96}), random.normal({70, 96}), random.normal({70})},
            bound_of(inputs));
  }

  void steps() {
    const at::NoGradGuard no_grad;
    const kernels::SsdScanSizes s{.B = 3, .T = 1, .H = 4, .P = 24, .N = 40, .G = 2};
    const Tensors operands = scan_operands(s);
    const auto run = [&](const c10::Device& device, at::ScalarType dtype) {
      Tensors o;
      for (const Tensor& t : operands) o.push_back(t.to(dtype).to(device, /*non_blocking=*/false, /*copy=*/true));
      Tensor h = o[5];
      const Tensor y = ops::ssd_step(o[0].squeeze(1), o[1].squeeze(1), o[2], o[3], o[4], h,
                                     scan_options(s));
      return Tensors{y, h};
    };
    report("ssd_step: results", worst_ratio(run(device_, at::kFloat), run(at::kCPU, at::kDouble)),
           bound_of(MatrixInputs::kFp32));
  }

  void convolution() {
    for (const int64_t T : {1, 2, 130}) {
      Operands random(static_cast<uint64_t>(T));
      compare(
          fmt::format("causal_conv1d_silu T={} C=83 W=4", T),
          [](const Tensors& o) {
            const ops::CausalConv1dResult r = ops::causal_conv1d_silu(o[0], o[1], o[2], o[3]);
            return Tensors{r.y, r.context};
          },
          {random.normal({2, T, 83}), random.normal({83, 4}), random.normal({83}),
           random.normal({2, 3, 83})},
          bound_of(MatrixInputs::kFp32));
    }
  }

  void norm() {
    Operands random(9);
    const Tensors operands = {random.normal({70, 96}), random.normal({96}),
                              random.normal({70, 96})};
    const double bound = bound_of(MatrixInputs::kFp32);
    compare("gated_rmsnorm 70 x 96, G=3",
            [](const Tensors& o) { return Tensors{ops::gated_rmsnorm(o[0], o[2], o[1], 3, 1e-5)}; },
            operands, bound);
    compare("gated_rmsnorm 70 x 96, no gate",
            [](const Tensors& o) { return Tensors{ops::gated_rmsnorm(o[0], {}, o[1], 1, 1e-5)}; },
            {operands[0], operands[1]}, bound);
  }

  void statistics() {
    const Tensor h = Operands(3).normal({2, 3, 17, 33});
    h.view({-1})[5] = INFINITY;
    report("state_stats: one element of a state is not finite",
           rms_ratio(ops::state_stats(h.to(device_)), ops::state_stats(h)),
           bound_of(MatrixInputs::kFp32));
  }

  // Blocks of 7 rows, so that the last is not full.
  void head(Compute compute) {
    Operands random(4);
    constexpr int64_t R = 65, D = 48, V = 301;
    const Tensor targets = random.ids({R}, V);
    const Function function = [&](const Tensors& o) {
      const bool exact = o[0].scalar_type() == at::kDouble;
      return Tensors{ops::head_nll(o[0], o[1], targets.to(o[0].device()),
                                   exact ? Compute::kFloat32 : compute, 7 * V)};
    };
    const auto inputs =
        compute == Compute::kBFloat16 ? MatrixInputs::kBf16 : MatrixInputs::kFp32;
    compare(fmt::format("head_nll R={} D={} V={}, {}", R, D, V, name_of(inputs)), function,
            {random.normal({R, D}), random.normal({V, D}) * 0.2}, bound_of(inputs));
  }

  static std::unique_ptr<Mamba2> small_model() {
    Mamba2Config config;
    config.model_dim = 48;
    config.layers = 3;
    config.heads = 4;
    config.head_dim = 24;
    config.state_dim = 40;
    config.groups = 2;
    config.vocabulary = 97;
    return Mamba2::initialise(config, 3);
  }

  static constexpr int64_t kRows = 3, kLength = 130;

  void reading(const Mamba2& here, const Mamba2& there) {
    const at::NoGradGuard no_grad;
    const Tensor tokens = Operands(2).ids({kRows, kLength}, here.config().vocabulary);
    const ForwardResult wanted = here.forward(tokens, {}, {});
    const ForwardResult got = there.forward(tokens, {}, {});
    report("model: hidden states, as on the CPU", rms_ratio(got.hidden, wanted.hidden), 1e-4);
    report("model: state after the last token, as on the CPU",
           rms_ratio(got.state.layers.back().recurrent, wanted.state.layers.back().recurrent), 1e-4);
    Tensors pieces;
    unroll(there, tokens, {}, {.segment = 33, .stat_positions = {}},
           [&](const UnrollSegment& s) { pieces.push_back(s.result.hidden); });
    report("model: read in pieces equals read whole", rms_ratio(at::cat(pieces, 1), got.hidden),
           1e-4);
  }

  void decoding(const Mamba2& there) {
    const at::NoGradGuard no_grad;
    const Tensor tokens = Operands(6).ids({kRows, kLength}, there.config().vocabulary);
    const Tensor whole = there.forward(tokens, {}, {}).hidden;
    ModelState state = there.zero_state(kRows);
    DecodeGraph graph(there, kRows);
    Tensors steps, replayed;
    for (int64_t t = 0; t < kLength; ++t) {
      steps.push_back(there.step(tokens.select(1, t), state));
      replayed.push_back(graph.step(tokens.select(1, t)).clone());
    }
    report("model: token by token equals read whole", rms_ratio(at::stack(steps, 1), whole), 1e-4);
    report(graph.recorded() ? "model: by a recorded graph, token by token"
                            : "model: token by token at fixed places (no graph in this build)",
           rms_ratio(at::stack(replayed, 1), whole), 1e-4);
  }

  // The same steps on both sides. Each adds its roundings to weights that the next one reads; AdamW
  // divides by the root of a second moment, so tiny gradients have updates of full size and a wrong
  // last digit of one may move its weight another way. The loss hardly depends on such weights.
  void training(const Mamba2& here, const Mamba2& there) {
    constexpr int64_t kSteps = 8;
    TrainConfig config;
    config.batch = kRows;
    config.context = kLength;
    const auto losses = [&](const Mamba2& model, TrainingGraph* graph) {
      AdamW optimizer(model, config);
      std::vector<double> of_steps;
      for (int64_t step = 0; step < kSteps; ++step) {
        const Tensor tokens = Operands(50 + static_cast<uint64_t>(step))
                                  .ids({kRows, kLength + 1}, model.config().vocabulary);
        const BatchPass pass = graph != nullptr ? graph->run(tokens, {})
                                                : add_gradients(model, {tokens, {}}, {}, config);
        of_steps.push_back(pass.loss);
        optimizer.clip_gradients(1.0);
        optimizer.step(1e-3);
      }
      return of_steps;
    };
    const auto worst_of = [](const std::vector<double>& got, const std::vector<double>& wanted) {
      double worst = 0;
      for (size_t i = 0; i < wanted.size(); ++i) {
        const double error = std::abs(got[i] - wanted[i]) / wanted[i];
        if (!(error <= worst)) worst = error;
      }
      return worst;
    };
    const auto again = small_model();
    move_to(*again, device_);
    const std::vector<double> wanted = losses(here, nullptr);
    report(fmt::format("model: losses of {} training steps, as on the CPU", kSteps),
           worst_of(losses(there, nullptr), wanted), 1e-4);
    TrainingGraph graph(*again, config);
    report(graph.recorded() ? "model: the same steps by a recorded graph"
                            : "model: the same steps at fixed places (no graph in this build)",
           worst_of(losses(*again, &graph), wanted), 1e-4);
  }

  c10::Device device_;
  const std::function<void(const SelftestCheck&)>& on_check_;
};

}  // namespace

void check_device(const c10::Device& device,
                  const std::function<void(const SelftestCheck&)>& on_check) {
  DeviceProof proof(device, on_check);
  proof.operators();
  proof.models();
}

DeviceReport selftest_device(const std::string& name,
                             const std::function<void(const SelftestCheck&)>& on_check) {
  const c10::Device device = find_device(name);
  reset_device_report(device);
  check_device(device, on_check);
  synchronize(device);
  return device_report(device);
}

}  // namespace farstate
