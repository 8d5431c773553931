// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/bench_device.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>
#include <torch/version.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/file.h"
#include "core/base/stop.h"
#include "core/models/decode_graph.h"
#include "core/models/mamba2.h"
#include "core/models/model_flops.h"
#include "core/models/placement.h"
#include "core/ops/backend.h"
#include "core/session/bench_kernels.h"
#include "core/session/bench_models.h"
#include "core/session/device.h"
#include "core/session/device_selftest.h"

namespace farstate {
namespace {

using ops::MatrixInputs;

// As a recipe spells it, and what a device does for it.
struct Precision {
  const char* dtype;
  MatrixInputs inputs;
  const char* compute;  // of TrainConfig
};
constexpr Precision kPrecisions[] = {{"float32", MatrixInputs::kFp32, "float32"},
                                     {"tf32", MatrixInputs::kTf32, "float32"},
                                     {"bfloat16", MatrixInputs::kBf16, "bfloat16"}};

class DeviceBench {
 public:
  DeviceBench(const BenchJob& job, const std::function<void(const BenchReport&)>& on_figure,
              const ProgressSink& progress)
      : job_(job), device_(find_device(job.device)), on_figure_(on_figure), progress_(progress) {
    if (job.quick) pace_ = {.runs = 3, .seconds = 0.15, .patience = 2};
    report_.libraries = {{"LibTorch", TORCH_VERSION}};
    report_.machine.device = device_.str();
    report_.machine.processor = device_report(device_).limits.name;
    report_.machine.bf16 = true;
    nlohmann::ordered_json recipe;
    recipe["model_config"] = job.model_config;
    recipe["quick"] = job.quick;
    recipe["gate"] = "the device's selftest";
    recipe["train"] = "a step as farstate train makes it, from the zero state, with AdamW";
    recipe["dtypes"] = "what the operands of matrix products are rounded to, those of the scan too; "
                       "sums and states are float32";
    report_.recipe = recipe.dump();
  }
  ~DeviceBench() { ops::set_matrix_inputs(MatrixInputs::kFp32); }

  BenchReport run(const std::function<void(const BenchReport&, const BenchPlan&)>& on_plan) {
    gate();
    reset_device_report(device_);
    products();
    on_plan(report_, {});
    for (const Precision& precision : kPrecisions) {
      if (!job_.dtype.empty() && job_.dtype != precision.dtype) continue;
      ops::set_matrix_inputs(precision.inputs);
      kernels(precision);
      trainings(precision);
      evaluations(precision);
    }
    ops::set_matrix_inputs(MatrixInputs::kFp32);
    decoding();
    report_.device = device_report(device_);
    report_.device.peak_bytes = std::max(report_.device.peak_bytes, most_bytes_);
    return std::move(report_);
  }

 private:
  bool wants(const std::string& part) const {
    return job_.parts.empty() ||
           std::find(job_.parts.begin(), job_.parts.end(), part) != job_.parts.end();
  }

  void tell(const std::string& phase) const {
    throw_if_stopped();
    if (progress_) progress_(phase, -1);
  }

  void gate() {
    tell("checking the device against the CPU");
    std::vector<SelftestCheck> checks;
    check_device(device_, [&](const SelftestCheck& check) { checks.push_back(check); });
    refuse_wrong_numbers(checks);
  }

  void products() {
    tell("timing products of matrices");
    for (const Precision& precision : kPrecisions) {
      ops::set_matrix_inputs(precision.inputs);
      const bool narrow = precision.inputs == MatrixInputs::kBf16;
      for (const KernelBench& bench : product_benches(narrow, device_)) {
        if ((bench.dtype == "bfloat16") != narrow) continue;
        KernelSpeed speed = time_kernel(bench, pace_);
        speed.dtype = precision.dtype;
        if (precision.inputs == MatrixInputs::kFp32) {
          if (report_.gemm_gflops == 0) report_.gemm_gflops = speed.gflops;
          report_.roofline_gflops = std::max(report_.roofline_gflops, speed.gflops);
        }
        report_.kernels.push_back(std::move(speed));
      }
    }
    for (KernelSpeed& speed : report_.kernels) rate(speed);
  }

  template <typename Speed>
  void rate(Speed& speed) const {
    speed.share_of_roofline = speed.gflops / report_.roofline_gflops;
  }

  void add(KernelSpeed speed, const char* dtype) {
    speed.dtype = dtype;
    rate(speed);
    report_.kernels.push_back(std::move(speed));
    on_figure_(report_);
  }

  // The shapes of bench/peers/scan_peer.py among them.
  void kernels(const Precision& precision) {
    if (!wants("kernels") || !job_.model_config.empty()) return;
    for (const auto& [B, T] : {std::pair<int64_t, int64_t>{1, 512}, {8, 2048}}) {
      for (const KernelBench& bench : operator_benches(large_shape().config, B, T, device_)) {
        tell(fmt::format("{}, {}, {}", bench.name, bench.shape, precision.dtype));
        KernelSpeed speed = time_kernel(bench, pace_);
        add(std::move(speed), precision.dtype);
      }
    }
  }

  std::vector<BenchShape> shapes() const {
    if (!job_.model_config.empty()) {
      return {{job_.model_config,
               mamba2_config_from_json(read_file(job_.model_config), job_.model_config)}};
    }
    std::vector<BenchShape> all = small_shapes();
    all.push_back(large_shape());
    return all;
  }

  // The same work as on the CPU.
  int64_t evaluated_length() const {
    if (!job_.model_config.empty()) return job_.length.value_or(job_.context.value_or(512));
    return job_.length.value_or(job_.quick ? 1024 : 8192);
  }

  void trainings(const Precision& precision) {
    if (!wants("train")) return;
    for (const BenchShape& shape : shapes()) {
      TrainConfig train;
      train.context = job_.context.value_or(512);
      train.batch = job_.batch.value_or(4);
      train.compute = precision.compute;
      tell(fmt::format("training {}, {}", shape.name, precision.dtype));
      TrainSpeed speed = time_training(shape, train, pace_, device_);
      speed.dtype = precision.dtype;
      rate(speed);
      report_.train.push_back(std::move(speed));
      on_figure_(report_);
    }
  }

  void evaluations(const Precision& precision) {
    if (!wants("evaluate")) return;
    for (const BenchShape& shape : shapes()) {
      tell(fmt::format("evaluating {}, {}", shape.name, precision.dtype));
      most_bytes_ = std::max(most_bytes_, device_peak_bytes(device_));  // an evaluation begins anew
      EvaluateSpeed speed =
          time_evaluation(shape, evaluated_length(), precision.compute, pace_, {}, device_);
      speed.dtype = precision.dtype;
      rate(speed);
      report_.evaluate.push_back(std::move(speed));
      on_figure_(report_);
    }
  }

  // Token by token: launched kernel by kernel, and as a recorded graph.
  void decoding() {
    if (!wants("kernels") || !job_.model_config.empty()) return;
    const BenchShape shape = large_shape();
    const auto model = Mamba2::initialise(shape.config, 1);
    move_to(*model, device_);
    for (const int64_t B : {1, 32}) {
      const at::Tensor tokens = at::zeros({B}, at::device(device_).dtype(at::kLong));
      ModelState state = model->zero_state(B);
      DecodeGraph graph(*model, B);
      const auto add_steps = [&](const char* name, const std::function<void()>& step) {
        tell(fmt::format("{}, B {}", name, B));
        constexpr int kSteps = 16;
        const Timing timing = time_work(
            [&] {
              for (int i = 0; i < kSteps; ++i) step();
            },
            pace_, [&] { synchronize(device_); });
        const double seconds = timing.seconds / kSteps;
        const double flops = forward_flops(shape.config) * static_cast<double>(B);
        const double bytes = 4.0 * static_cast<double>(model->parameter_count());
        add({.name = name, .shape = fmt::format("{}, B {}", shape.name, B), .dtype = "float32",
             .by = "Farstate", .gflops = flops / seconds / 1e9,
             .gbytes_per_second = bytes / seconds / 1e9,
             .timing = {timing.runs, seconds, timing.warm}},
            "float32");
      };
      add_steps("decode step", [&] { model->step(tokens, state); });
      if (graph.recorded()) add_steps("decode step, graph", [&] { graph.step(tokens); });
    }
  }

  const BenchJob& job_;
  c10::Device device_;
  const std::function<void(const BenchReport&)>& on_figure_;
  const ProgressSink& progress_;
  TimingPace pace_;
  BenchReport report_;
  int64_t most_bytes_ = 0;
};

}  // namespace

BenchReport bench_on_device(const BenchJob& job,
                            const std::function<void(const BenchReport&, const BenchPlan&)>& on_plan,
                            const std::function<void(const BenchReport&)>& on_figure,
                            const ProgressSink& progress) {
  return DeviceBench(job, on_figure, progress).run(on_plan);
}

}  // namespace farstate
