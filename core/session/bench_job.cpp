// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/stop.h"
#include "core/models/model_config.h"
#include "core/ops/bf16_product.h"
#include "core/session/batch_gradients.h"
#include "core/session/bench.h"
#include "core/session/bench_device.h"
#include "core/session/bench_kernels.h"
#include "core/session/bench_models.h"
#include "core/session/jobs.h"
#include "core/session/machine.h"

namespace farstate {
namespace {

constexpr int64_t kMostTokens = int64_t{1} << 32;

// What was asked for, with everything that was left open decided.
struct Choice {
  std::vector<BenchShape> trained;
  std::vector<std::pair<int64_t, int64_t>> windows;  // context, batch
  std::vector<std::pair<BenchShape, int64_t>> evaluated;  // and how long a text
  std::vector<std::string> dtypes;
  std::vector<std::string> parts;
  TimingPace pace;
  bool given = false;  // by the person: what does not fit is refused, not left out
  bool wants(const std::string& part) const {
    return std::find(parts.begin(), parts.end(), part) != parts.end();
  }
};

[[noreturn]] void misused(const std::string& sentence) { throw Error(ErrorKind::kBadUsage, sentence); }

void validate(const BenchJob& job) {
  const auto check = [](const char* option, const std::optional<int64_t>& value) {
    if (!value || (*value >= 1 && *value <= kMostTokens)) return;
    misused(fmt::format("{} is {}, but must be from 1 to {}.", option, *value, kMostTokens));
  };
  check("--context", job.context);
  check("--batch", job.batch);
  check("--length", job.length);
  if (job.model_config.empty() && (job.context || job.batch)) {
    misused(fmt::format("{} goes with --model-config FILE: the shapes that are built in have their own.",
                        job.context ? "--context" : "--batch"));
  }
  const bool device = !job.device.empty() && job.device != "cpu";
  if (!job.dtype.empty() && job.dtype != "float32" && job.dtype != "bfloat16" &&
      !(device && job.dtype == "tf32")) {
    misused(fmt::format("--dtype is \"{}\", but must be float32 or bfloat16{}.", job.dtype,
                        device ? ", or tf32" : ""));
  }
  for (const std::string& part : job.parts) {
    if (std::find(kBenchParts.begin(), kBenchParts.end(), part) != kBenchParts.end()) continue;
    misused(fmt::format("--parts names \"{}\", but there are {}.", part, fmt::join(kBenchParts, ", ")));
  }
}

Choice choose(const BenchJob& job) {
  validate(job);
  Choice c;
  c.parts = job.parts.empty() ? kBenchParts : job.parts;
  if (job.quick) c.pace = {.runs = 3, .seconds = 0.15, .patience = 1};
  if (!job.dtype.empty()) {
    c.dtypes = {job.dtype};
  } else {
    c.dtypes = {"float32"};
    if (ops::has_bf16_products()) c.dtypes.emplace_back("bfloat16");
  }
  if (!job.model_config.empty()) {
    c.given = true;
    if (job.parts.empty()) c.parts = {"train", "evaluate"};
    const BenchShape shape{job.model_config,
                           mamba2_config_from_json(read_file(job.model_config), job.model_config)};
    const int64_t context = job.context.value_or(512);
    c.trained = {shape};
    c.windows = {{context, job.batch.value_or(4)}};
    c.evaluated = {{shape, job.length.value_or(context)}};
    return c;
  }
  c.trained = small_shapes();
  c.windows = {{64, 32}, {512, 4}, {2048, 1}};
  if (job.quick) c.windows = {{512, 4}};
  for (const BenchShape& shape : c.trained) {
    c.evaluated.emplace_back(shape, job.length.value_or(job.quick ? 1024 : 8192));
  }
  c.evaluated.emplace_back(large_shape(), job.length.value_or(job.quick ? 256 : 8192));
  return c;
}

std::string recipe_of(const BenchJob& job, const Choice& choice) {
  nlohmann::ordered_json json;
  json["model_config"] = job.model_config;
  json["quick"] = job.quick;
  json["parts"] = choice.parts;
  json["dtypes"] = choice.dtypes;
  json["weights"] = "random";
  json["text"] = "random ids";
  json["train"] = "a step as farstate train makes it: windows drawn, zero initial state, forward, "
                  "backward, clipping at norm 1, AdamW";
  json["evaluate"] = "one text, the loss at every position, read in segments from the zero state";
  json["bfloat16"] = "operands of the products of projections and head are rounded; sums and state are "
                     "float32";
  json["gflops"] = "useful operations: forward, and three times as many for a training step";
  json["roofline_gflops"] = "the fastest float32 gemm in kernels";
  json["least_runs"] = choice.pace.runs;
  json["least_seconds"] = choice.pace.seconds;
  json["longest_repeated_seconds"] = choice.pace.patience;
  return json.dump();
}

class Bench {
 public:
  Bench(const BenchJob& job, const ProgressSink& progress)
      : choice_(choose(job)), progress_(progress) {
    report_.program = FARSTATE_VERSION;
    MachineReport here = machine_report();
    report_.libraries = std::move(here.libraries);
    report_.machine = std::move(here.machine);
    report_.recipe = recipe_of(job, choice_);
    if (!report_.machine.bf16) {
      report_.notes.push_back(job.dtype == "bfloat16"
                                  ? fmt::format("bfloat16: {}.", kNoBf16)
                                  : "bfloat16 is not timed: this machine has no instructions for it.");
    }
  }

  BenchReport run(const std::function<void(const BenchReport&, const BenchPlan&)>& on_plan,
                  const std::function<void(const BenchReport&)>& on_figure) {
    leave_out_what_does_not_fit();
    tell("checking the kernels against their definition", -1);
    refuse_wrong_numbers(selftest());
    refuse_wrong_numbers(check_operators());
    tell("timing products of matrices", -1);
    time_products();
    plan_models();
    plan_kernels();
    on_plan(report_, plan_);
    for (const Piece& piece : pieces_) {
      throw_if_stopped();
      now_ = &piece;
      tell(piece.name, done_ / plan_.seconds);
      piece.run();
      done_ += piece.seconds;
      on_figure(report_);
    }
    return std::move(report_);
  }

 private:
  struct Piece {
    std::string name;
    double seconds;  // about
    std::function<void()> run;
  };

  void tell(const std::string& phase, double share) const {
    if (progress_) progress_(phase, share);
  }

  static TrainConfig training(const std::pair<int64_t, int64_t>& window, const std::string& dtype) {
    TrainConfig train;
    train.context = window.first;
    train.batch = window.second;
    train.compute = dtype;
    return train;
  }

  // Before anything is timed.
  void leave_out_what_does_not_fit() {
    if (choice_.wants("train")) {
      for (const auto& window : choice_.windows) {
        std::erase_if(choice_.trained, [&](const BenchShape& shape) {
          return left_out([&] {
            refuse_training_that_does_not_fit(shape, training(window, choice_.dtypes.back()));
          });
        });
      }
    }
    if (choice_.wants("evaluate")) {
      std::erase_if(choice_.evaluated, [&](const auto& text) {
        return left_out([&] { refuse_evaluation_that_does_not_fit(text.first, text.second); });
      });
    }
  }

  template <typename Refuse>
  bool left_out(const Refuse& refuse) {
    try {
      refuse();
      return false;
    } catch (const Error& error) {
      if (choice_.given || error.kind() != ErrorKind::kOutOfMemory) throw;
      report_.notes.push_back(fmt::format("Left out: {}", error.what()));
      return true;
    }
  }

  void time_products() {
    for (const KernelBench& bench : product_benches(report_.machine.bf16)) {
      KernelSpeed speed = time_kernel(bench, choice_.pace);
      if (report_.gemm_gflops == 0) report_.gemm_gflops = speed.gflops;
      if (speed.dtype == "float32") {
        report_.roofline_gflops = std::max(report_.roofline_gflops, speed.gflops);
      }
      report_.kernels.push_back(std::move(speed));
    }
    for (KernelSpeed& speed : report_.kernels) rate(speed);
  }

  template <typename Speed>
  void rate(Speed& speed) const {
    speed.share_of_roofline = speed.gflops / report_.roofline_gflops;
  }

  // Models and kernels come to about a third of the roofline; good enough to say how long it takes.
  void plan(const std::string& name, double flops, std::function<void()> run) {
    const double once = flops / (report_.roofline_gflops * 1e9) * 3 + 1e-4;
    const double seconds = expected_seconds(once, choice_.pace);
    plan_.seconds += seconds;
    pieces_.push_back({name, seconds, std::move(run)});
  }

  void plan_models() {
    for (const BenchShape& shape : choice_.trained) {
      if (!choice_.wants("train")) break;
      for (const auto& window : choice_.windows) {
        for (const std::string& dtype : choice_.dtypes) {
          const TrainConfig train = training(window, dtype);
          ++plan_.trainings;
          plan(fmt::format("training {}, {} x {}, {}", shape.name, train.context, train.batch, dtype),
               training_flops(shape.config, train), [=, this] {
                 report_.train.push_back(time_training(shape, train, choice_.pace));
                 rate(report_.train.back());
               });
        }
      }
    }
    for (const auto& [shape, length] : choice_.evaluated) {
      if (!choice_.wants("evaluate")) break;
      for (const std::string& dtype : choice_.dtypes) {
        ++plan_.evaluations;
        plan(fmt::format("evaluating {}, {} tokens, {}", shape.name, length, dtype),
             evaluation_flops(shape.config, length), [=, this, shape = shape, length = length] {
               report_.evaluate.push_back(time_evaluation(
                   shape, length, dtype, choice_.pace,
                   [this](const std::string&, double) { tell(now_->name, done_ / plan_.seconds); }));
               rate(report_.evaluate.back());
             });
      }
    }
  }

  // At the sizes of a small model and of a large one, or of the one that is given.
  void plan_kernels() {
    if (!choice_.wants("kernels")) return;
    std::vector<KernelBench> benches;
    const auto add = [&](const Mamba2Config& config, int64_t B, int64_t T) {
      for (KernelBench& bench : operator_benches(config, B, T)) benches.push_back(std::move(bench));
    };
    if (choice_.given) {
      const auto [context, batch] = choice_.windows.front();
      add(choice_.trained.front().config, batch, context);
    } else {
      add(small_shapes()[1].config, 4, 512);
      add(large_shape().config, 1, 512);
    }
    for (const KernelBench& bench : benches) {
      ++plan_.kernels;
      plan(fmt::format("{}, {}", bench.name, bench.shape), bench.flops, [=, this] {
        report_.kernels.push_back(time_kernel(bench, choice_.pace));
        rate(report_.kernels.back());
      });
    }
  }

  Choice choice_;
  ProgressSink progress_;
  BenchReport report_;
  BenchPlan plan_;
  std::vector<Piece> pieces_;
  const Piece* now_ = nullptr;
  double done_ = 0;  // seconds of the plan
};

}  // namespace

BenchReport bench(const BenchJob& job,
                  const std::function<void(const BenchReport&, const BenchPlan&)>& on_plan,
                  const std::function<void(const BenchReport&)>& on_figure,
                  const ProgressSink& progress) {
  if (!job.device.empty() && job.device != "cpu") {
    validate(job);
    return bench_on_device(job, on_plan, on_figure, progress);
  }
  return Bench(job, progress).run(on_plan, on_figure);
}

}  // namespace farstate
