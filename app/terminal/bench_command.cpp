// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/terminal/bench_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <utility>
#include <vector>

#include "app/terminal/estimate_text.h"
#include "app/terminal/terminal.h"
#include "core/base/file.h"

namespace farstate {
namespace {

constexpr int kSuccess = 0;

std::string timing_text(const Timing& timing) {
  return timing.warm ? fmt::format("{:.3g} s, median of {}", timing.seconds, timing.runs)
                     : fmt::format("{:.3g} s, one run", timing.seconds);
}

void print_machine(const BenchReport& report) {
  const BenchMachine& m = report.machine;
  fmt::print("machine          {}, {} cores, {} threads, kernels for {}\n", m.processor, m.cores,
             m.threads, m.instructions);
  std::vector<std::string> names;
  for (const Library& library : report.libraries) {
    names.push_back(fmt::format("{} {}", library.name, library.version));
  }
  fmt::print("program          farstate {}\n", report.program);
  for (const std::string& name : names) fmt::print("                 {}\n", name);
}

std::string counted(int64_t count, const char* thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

void print_plan(const BenchPlan& plan) {
  std::vector<std::string> things;
  if (plan.trainings > 0) things.push_back(counted(plan.trainings, "training"));
  if (plan.evaluations > 0) things.push_back(counted(plan.evaluations, "evaluation"));
  if (plan.kernels > 0) things.push_back(counted(plan.kernels, "kernel"));
  if (things.empty()) return;
  fmt::print("to be timed      {}; about {}, Ctrl+C ends it\n", fmt::join(things, ", "),
             duration(plan.seconds));
}

// Rows as they come, below a heading wherever another kind begins.
class Table {
 public:
  void show(const BenchReport& report) {
    for (; trained_ < report.train.size(); ++trained_) print(report.train[trained_]);
    for (; evaluated_ < report.evaluate.size(); ++evaluated_) print(report.evaluate[evaluated_]);
    for (; kernels_ < report.kernels.size(); ++kernels_) print(report.kernels[kernels_]);
    std::fflush(stdout);
  }

 private:
  void print(const TrainSpeed& s) {
    if (begins(Kind::kTrain)) {
      fmt::print("\n{:<24} {:>11} {:>7} {:>6} {:<9} {:>10} {:>9} {:>9}\n", "training", "parameters",
                 "context", "batch", "dtype", "tokens/s", "GFLOP/s", "roofline");
    }
    fmt::print("{:<24} {:>11} {:>7} {:>6} {:<9} {:>10.0f} {:>9.1f} {:>7.0f} %   {}\n", s.shape, s.params,
               s.context, s.batch, s.dtype, s.tokens_per_second, s.gflops, 100 * s.share_of_roofline,
               timing_text(s.timing));
  }
  void print(const EvaluateSpeed& s) {
    if (begins(Kind::kEvaluate)) {
      fmt::print("\n{:<24} {:>11} {:>7} {:>6} {:<9} {:>10} {:>9} {:>9}\n", "evaluating", "parameters",
                 "tokens", "MB", "dtype", "tokens/s", "GFLOP/s", "roofline");
    }
    fmt::print("{:<24} {:>11} {:>7} {:>6.0f} {:<9} {:>10.0f} {:>9.1f} {:>7.0f} %   {}{}\n", s.shape,
               s.params, s.length, s.peak_memory_mb, s.dtype, s.tokens_per_second, s.gflops,
               100 * s.share_of_roofline, timing_text(s.timing),
               s.peak_of == "this evaluation" ? "" : "; MB: of " + s.peak_of);
  }
  void print(const KernelSpeed& s) {
    if (begins(Kind::kKernel)) {
      fmt::print("\n{:<24} {:<34} {:<9} {:>7} {:>9} {:>9}\n", "kernel", "shape", "dtype", "GB/s",
                 "GFLOP/s", "roofline");
    }
    fmt::print("{:<24} {:<34} {:<9} {:>7.1f} {:>9.1f} {:>7.0f} %   {}{}\n", s.name, s.shape, s.dtype,
               s.gbytes_per_second, s.gflops, 100 * s.share_of_roofline, timing_text(s.timing),
               s.by == "Farstate" ? "" : ", " + s.by);
  }

  enum class Kind { kNone, kTrain, kEvaluate, kKernel };
  bool begins(Kind kind) { return std::exchange(last_, kind) != kind; }

  size_t trained_ = 0, evaluated_ = 0, kernels_ = 0;
  Kind last_ = Kind::kNone;
};

}  // namespace

void add_bench(CLI::App& command, BenchOptions& options) {
  BenchJob& job = options.job;
  command.add_option("--json", options.json, "write the figures for programs")->option_text("FILE");
  command.add_option("--model-config", job.model_config,
                     "time this shape alone: a config.json in Hugging Face's or state-spaces' spelling")
      ->option_text("FILE");
  command.add_option("--context", job.context, "of its training: tokens per window (default 512)")
      ->option_text("T");
  command.add_option("--batch", job.batch, "of its training: windows per step (default 4)")
      ->option_text("B");
  command.add_option("--length", job.length,
                     "tokens of the text that is evaluated (default 8192; of a given shape its context)")
      ->option_text("N");
  command.add_option("--dtype", job.dtype,
                     "of the matrix products: float32, bfloat16 (default: all that the machine computes "
                     "itself)");
  command.add_option("--parts", job.parts,
                     "of train,evaluate,kernels (default: all; of a given shape the first two)")
      ->delimiter(',');
  command.add_flag("--quick", job.quick, "fewer shapes, shorter texts, fewer runs");
}

int run_bench(const BenchOptions& options) {
  if (!options.json.empty()) check_writable(options.json);
  BenchReport report;
  Table table;
  {
    ProgressLine line;
    report = bench(
        options.job,
        [&](const BenchReport& begun, const BenchPlan& plan) {
          line.clear();
          print_machine(begun);
          print_plan(plan);
          for (const std::string& note : begun.notes) fmt::print("Note: {}\n", note);
          table.show(begun);
        },
        [&](const BenchReport& so_far) {
          line.clear();
          table.show(so_far);
        },
        [&](const std::string& phase, double share) { line.show(phase, share); });
  }
  fmt::print("\nThe library's product of 1024 x 1024: {:.1f} GFLOP/s; roofline, the best product of "
             "those above: {:.1f}.\nGFLOP/s are useful ones; a share is that of the roofline in "
             "float32.\n",
             report.gemm_gflops, report.roofline_gflops);
  if (!options.json.empty()) {
    write_file_atomic(options.json, to_json(report) + "\n");
    fmt::print("Written to {}.\n", options.json);
  }
  return kSuccess;
}

}  // namespace farstate
