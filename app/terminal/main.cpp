// SPDX-License-Identifier: GPL-3.0-or-later
// farstate: the laboratory without a window. Exit codes are ErrorKind's (core/base/error.h).
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "app/terminal/bench_command.h"
#include "app/terminal/commands.h"
#include "app/terminal/options.h"
#include "app/terminal/runs_command.h"
#include "app/terminal/task_command.h"
#include "app/terminal/terminal.h"
#include "core/base/error.h"
#include "core/base/process.h"
#include "core/base/stop.h"
#include "core/session/boundary.h"
#include "core/session/jobs.h"

namespace farstate {
namespace {

int run(int argc, char** argv) {
  CLI::App app("Farstate: the hidden state of recurrent language models", "farstate");
  app.set_version_flag("--version", FARSTATE_VERSION);
  app.require_subcommand(1);
  app.fallthrough();
  int64_t threads = 0;
  app.add_option("--threads", threads, "threads to work with (default: all cores)")
      ->check(CLI::Range(0, 1024));

  InfoOptions info;
  MeasureOptions measure;
  TrainOptions train;
  ExperimentOptions experiment;
  GenerateOptions generate;
  ConvertOptions convert;
  TokenizeOptions tokenize;
  PresetsOptions presets;
  PlotOptions plot;
  RunsOptions runs;
  TasksOptions tasks;
  BenchOptions bench;
  CLI::App* info_command = app.add_subcommand("info", "what a model is");
  CLI::App* measure_command =
      app.add_subcommand("measure", "curves by position: perplexity, state, effective remembrance");
  CLI::App* train_command =
      app.add_subcommand("train", "post-train a model with an initial-state intervention");
  CLI::App* experiment_command = app.add_subcommand(
      "experiment", "post-train with several interventions and seeds, and compare them");
  CLI::App* generate_command = app.add_subcommand("generate", "continue a text");
  CLI::App* convert_command =
      app.add_subcommand("convert", "write a checkpoint in another form, for other programs");
  CLI::App* tokenize_command = app.add_subcommand("tokenize", "a text as the model's tokens; new tokenizers of words");
  CLI::App* presets_command =
      app.add_subcommand("presets", "settings by name, and how well each is known");
  CLI::App* plot_command = app.add_subcommand("plot", "pictures of measurements, as PNG or SVG");
  CLI::App* task_command =
      app.add_subcommand("task", "long-context tasks: samples, training, scores");
  CLI::App* runs_command = app.add_subcommand("runs", "recorded runs: list, show, export, delete");
  CLI::App* selftest_command = app.add_subcommand("selftest", "prove this machine's kernels");
  CLI::App* bench_command =
      app.add_subcommand("bench", "how fast this machine trains, evaluates, and runs the kernels");
  add_info(*info_command, info);
  add_measure(*measure_command, measure);
  add_train(*train_command, train);
  add_experiment(*experiment_command, experiment);
  add_generate(*generate_command, generate);
  add_convert(*convert_command, convert);
  add_tokenize(*tokenize_command, tokenize);
  add_presets(*presets_command, presets);
  add_plot(*plot_command, plot);
  add_task(*task_command, tasks);
  add_runs(*runs_command, runs);
  add_bench(*bench_command, bench);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // CLI11 has codes of its own; help and version are no errors.
    return app.exit(error) == 0 ? 0 : static_cast<int>(ErrorKind::kBadUsage);
  }
  set_threads(threads);
  if (info_command->parsed()) return run_info(info);
  if (measure_command->parsed()) {
    measure.finish(*measure_command);
    return run_measure(measure);
  }
  if (train_command->parsed()) {
    train.finish(*train_command);
    return run_train(train);
  }
  if (experiment_command->parsed()) {
    experiment.finish(*experiment_command);
    return run_experiment(experiment);
  }
  if (generate_command->parsed()) {
    generate.finish(*generate_command);
    return run_generate(generate);
  }
  if (convert_command->parsed()) return run_convert(convert);
  if (tokenize_command->parsed()) {
    tokenize.finish(*tokenize_command);
    return run_tokenize(tokenize);
  }
  if (presets_command->parsed()) return run_presets(presets);
  if (plot_command->parsed()) return run_plot(plot);
  if (task_command->parsed()) return run_task(*task_command, tasks);
  if (runs_command->parsed()) return run_runs(*runs_command, runs);
  if (selftest_command->parsed()) return run_selftest();
  if (bench_command->parsed()) return run_bench(bench);
  return static_cast<int>(ErrorKind::kBadUsage);
}

}  // namespace
}  // namespace farstate

int main(int argc, char** argv) {
  farstate::let_waiting_threads_sleep(argv);
  farstate::explain_lost_pages();
  const farstate::SignalStop signals;
  const farstate::StopScope scope(signals.token());
  try {
    return farstate::run(argc, argv);
  } catch (...) {
    const farstate::Error error = farstate::current_error();
    fmt::print(stderr, "farstate: {}\n", error.what());
    return error.exit_code();
  }
}
