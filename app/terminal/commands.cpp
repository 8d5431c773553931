// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/terminal/commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>

#include "app/terminal/desktop_program.h"
#include "app/terminal/estimate_text.h"
#include "app/terminal/generation_json.h"
#include "app/terminal/terminal.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/results/series_csv.h"
#include "core/session/jobs.h"

namespace farstate {
namespace {

constexpr int kSuccess = 0;

int interrupted_code() { return static_cast<int>(ErrorKind::kInterrupted); }

void write_results(const std::string& path, const Results& results) {
  int64_t non_finite = 0;
  write_file_atomic(path, to_json(results, non_finite) + "\n");
  if (non_finite > 0) {
    fmt::print(stderr, "{} numbers are not finite; they are null in {}.\n", non_finite, path);
  }
}

std::string recipe_beside(const std::string& csv) { return csv + ".recipe.json"; }

// The recipe first: a table that is there always has its recipe.
void write_table(const std::string& path, const Results& results) {
  write_file_atomic(recipe_beside(path), results.recipe + "\n");
  write_file_atomic(path, [&](std::ostream& out) { write_csv(out, results.series); });
}

// The value of the curve at the positions that tell the story: powers of two.
void print_by_position(const Series& series, const char* title) {
  if (series.x.empty()) return;
  fmt::print("\n{:>12}  {}\n", "position", title);
  double next = 1;
  for (size_t i = 0; i < series.x.size(); ++i) {
    if (series.x[i] < next && i + 1 < series.x.size()) continue;
    while (next <= series.x[i]) next *= 2;
    const bool banded = !series.lower.empty();
    const std::string band =
        banded ? fmt::format("  [{:.4g}, {:.4g}]", series.lower[i], series.upper[i]) : "";
    fmt::print("{:>12.0f}  {:.4g}{}\n", series.x[i], series.y[i], band);
  }
}

void print_effrem(const Results& results) {
  const Series* effrem = find_series(results.series, "effrem");
  const Series* divergence = find_series(results.series, "effrem_kl");
  const Series* agreement = find_series(results.series, "effrem_agreement");
  if (effrem == nullptr || divergence == nullptr || agreement == nullptr) return;
  fmt::print("\n{:>12}  {:<22}{:<16}same token first\n", "dropped", "effective remembrance",
             "KL (nats)");
  const size_t stride = std::max<size_t>(effrem->x.size() / 10, 1);
  for (size_t i = 0; i < effrem->x.size(); i += stride) {
    fmt::print("{:>12.0f}  {:<22.4g}{:<16.4g}{:.0f} %\n", effrem->x[i], effrem->y[i],
               divergence->y[i], 100 * agreement->y[i]);
  }
}

// The tokens that the prediction leans on most.
void print_attention(const AttentionReport& attention) {
  constexpr size_t kShown = 8;
  fmt::print("\nafter these {} tokens {} comes with {:.1f} %\n", attention.tokens.size(),
             nlohmann::json(attention.predicted.text).dump(), 100 * attention.probability);
  if (attention.leaning.empty()) return;
  std::vector<size_t> order(attention.tokens.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::abs(attention.leaning[a]) > std::abs(attention.leaning[b]);
  });
  fmt::print("{:>12}  {:<22}leans on it by (nats)\n", "index", "token");
  for (size_t i = 0; i < std::min(kShown, order.size()); ++i) {
    fmt::print("{:>12}  {:<22}{:+.4g}\n", attention.first + static_cast<int64_t>(order[i]),
               nlohmann::json(attention.tokens[order[i]].text).dump(), attention.leaning[order[i]]);
  }
}

void print_summary(const Results& results, const std::string& scored, const std::string& sort) {
  if (const Series* perplexity = find_series(results.series, perplexity_name(scored))) {
    print_by_position(*perplexity, scored == "all"
                                       ? "perplexity  [95 % interval of the mean]"
                                       : "perplexity of predictable tokens  [95 % interval of the mean]");
  }
  if (const Series* state = find_series(results.series, "model_state_std")) {
    print_by_position(*state, "standard deviation of the whole state");
  }
  print_heads(results, sort);
  print_effrem(results);
  if (results.states && results.states->attention) print_attention(*results.states->attention);
  for (const std::string& note : results.notes) fmt::print("\nNote: {}\n", note);
}

void write_experiment(const std::string& path, const Experiment& experiment) {
  int64_t non_finite = 0;
  write_file_atomic(path, to_json(experiment, non_finite) + "\n");
}

std::string value_text(const std::optional<double>& value) {
  return value ? fmt::format("{:.4g}", *value) : "-";
}

void print_run(const ArmRun& run, int64_t context, const std::string& perplexity) {
  std::string line = run.arm == "base" ? "base, untouched       "
                                       : fmt::format("{:<15} seed {}", run.arm, run.seed);
  for (const TablePosition& column : table_positions(context)) {
    line += fmt::format("  {} {}", column.name, 
                        value_text(perplexity_at(run, column.position, perplexity)));
  }
  fmt::print("{}{}\n", line, run.problem.empty() ? "" : "  " + run.problem);
  std::fflush(stdout);
}

// One row per arm: the mean over its seeds, and their standard deviation where there are several.
void print_experiment(const Experiment& experiment) {
  const std::vector<TablePosition> columns = table_positions(experiment.context);
  const std::vector<std::string> arms = arms_of(experiment);
  size_t name_width = 16;
  for (const std::string& arm : arms) name_width = std::max(name_width, arm.size() + 1);
  fmt::print("\nPerplexity{} by position, T = {}{}\n{:<{}}",
             experiment.perplexity == kPredictablePerplexity ? " of predictable tokens" : "",
             experiment.context,
             experiment.runs.size() > arms.size() ? "; mean and standard deviation over seeds" : "",
             "", name_width);
  for (const TablePosition& column : columns) {
    fmt::print("{:>20}", fmt::format("{} = {}", column.name, column.position));
  }
  fmt::print("\n{:<{}}", "base", name_width);
  for (const TablePosition& column : columns) {
    fmt::print("{:>20}", value_text(experiment.base != nullptr
                                        ? perplexity_at(*experiment.base, column.position,
                                                        experiment.perplexity)
                                        : std::nullopt));
  }
  for (const std::string& arm : arms) {
    fmt::print("\n{:<{}}", arm, name_width);
    for (const TablePosition& column : columns) {
      const std::optional<Spread> spread = perplexity_at(experiment, arm, column.position);
      fmt::print("{:>20}", !spread             ? "-"
                           : spread->seeds > 1 ? fmt::format("{:.4g} ± {:.2g}", spread->mean, spread->std)
                                               : fmt::format("{:.4g}", spread->mean));
    }
  }
  fmt::print("\n");
  for (const std::string& note : experiment.notes) fmt::print("\nNote: {}\n", note);
}

std::string or_not_recorded(const std::string& text) {
  return text.empty() ? "not recorded" : text;
}

// The norm is that of all heads together, where it was taken.
void print_token(const GeneratedToken& token) {
  double squares = 0;
  for (const float norm : token.norms) squares += static_cast<double>(norm) * norm;
  fmt::print("{:>8}  {:<9} {:>8}  {:>9}  {:>9}  {}\n", token.index,
             token.prompt ? "prompt" : "generated", token.id,
             std::isfinite(token.loss) ? fmt::format("{:.4f}", token.loss) : "",
             token.norms.empty() ? "" : fmt::format("{:.4g}", std::sqrt(squares)),
             nlohmann::json(token.text).dump());
}

void write_info_json(const std::string& path, const ModelReport& report) {
  nlohmann::ordered_json json;
  const ModelInfo& m = report.model;
  json["schema"] = "farstate.info/1";
  json["name"] = m.name;
  json["architecture"] = m.architecture;
  json["dtype"] = m.dtype;
  json["precision"] = m.precision;
  json["format"] = report.format;
  json["files"] = report.files;
  json["tokenizer"] = m.tokenizer;
  json["notes"] = report.notes;
  json["parameters"] = m.parameters;
  json["layers"] = m.layers;
  json["model_dim"] = m.model_dim;
  json["heads"] = m.heads;
  json["head_dim"] = m.head_dim;
  json["state_dim"] = m.state_dim;
  json["groups"] = m.groups;
  json["vocabulary"] = m.vocabulary;
  json["trained_context"] = m.trained_context;
  json["trained_with"] = m.trained_with;
  json["steps"] = report.steps;
  json["weight_bytes"] = report.weight_bytes;
  json["state_bytes"] = report.state_bytes;
  json["measure_bytes"] = report.measure_bytes;
  json["train_bytes"] = report.train_bytes;
  json["train_memory"] = json_of(report.train_memory);
  json["available_bytes"] = report.available_bytes;
  for (const TensorInfo& tensor : report.tensors) {
    json["tensors"].push_back({{"name", tensor.name},
                               {"shape", tensor.shape},
                               {"weight_decay", tensor.weight_decay}});
  }
  if (!report.recipe.empty()) json["recipe"] = nlohmann::ordered_json::parse(report.recipe);
  write_file_atomic(path, json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

}  // namespace

int run_info(const InfoOptions& options) {
  validate(options.config);
  const ModelReport report = inspect(options.config.model, options.config);
  const ModelInfo& m = report.model;
  fmt::print("model            {} ({})\n", m.name, m.source);
  fmt::print("architecture     {}, {} layers x {} heads, model dimension {}\n", m.architecture,
             m.layers, m.heads, m.model_dim);
  fmt::print("state            {} x {} per head, {} group{}, {} per sequence (fp32)\n", m.head_dim,
             m.state_dim, m.groups, m.groups == 1 ? "" : "s",
             short_bytes(static_cast<double>(report.state_bytes)));
  fmt::print("parameters       {}, {} in the file, {} in memory\n", m.parameters, m.dtype, m.precision);
  fmt::print("files            {}\n", report.format);
  fmt::print("tokens           {}\n",
             m.tokenizer == "bytes" ? "256, bytes"
                                 : fmt::format("vocabulary of {}, {}", m.vocabulary,
                                               m.tokenizer.empty() ? "no tokenizer found"
                                                                   : m.tokenizer));
  fmt::print("trained at       {}\n",
             m.trained_context > 0 ? fmt::format("{} tokens", m.trained_context) : "not recorded");
  fmt::print("trained with     {}\n", or_not_recorded(m.trained_with));
  const MeasureConfig& measure = options.config.measure;
  const TrainConfig& train = options.config.train;
  fmt::print("memory           weights {}, available {}\n",
             short_bytes(static_cast<double>(report.weight_bytes)),
             short_bytes(static_cast<double>(report.available_bytes)));
  fmt::print("  to measure     about {} ({} x {} tokens)\n",
             short_bytes(static_cast<double>(report.measure_bytes)), measure.sequences,
             measure.length);
  fmt::print("  to train       about {} ({} x {} tokens a step)\n",
             short_bytes(static_cast<double>(report.train_bytes)), train.batch, train.context);
  fmt::print("                 {}\n", parts_of(report.train_memory));
  for (const std::string& note : report.notes) fmt::print("Note: {}\n", note);
  fmt::print("\n{:<46} {:<16} weight decay\n", "tensor", "shape");
  for (const TensorInfo& tensor : report.tensors) {
    fmt::print("{:<46} {:<16} {}\n", tensor.name, fmt::format("{}", fmt::join(tensor.shape, " x ")),
               tensor.weight_decay ? "yes" : "no");
  }
  if (!options.json.empty()) write_info_json(options.json, report);
  return kSuccess;
}

int run_measure(const MeasureOptions& options) {
  if (!options.json.empty()) check_writable(options.json);
  if (!options.csv.empty()) {
    check_writable(options.csv);
    check_writable(recipe_beside(options.csv));
  }
  RunConfig config = options.config;
  if (!options.recipe.empty()) config = recipe_in(read_file(options.recipe));
  MeasureOutcome outcome;
  {
    ProgressLine line;
    outcome = measure(
        config, [&](const std::string& phase, double share) { line.show(phase, share); },
        options.dump);
  }
  print_summary(outcome.results, options.config.measure.scored, options.sort);
  std::vector<std::string> written;
  if (!options.json.empty()) {
    write_results(options.json, outcome.results);
    written.push_back(options.json);
  }
  if (!options.csv.empty()) {
    write_table(options.csv, outcome.results);
    written.push_back(options.csv);
  }
  if (!written.empty()) fmt::print("\nWritten to {}.\n", fmt::join(written, " and "));
  if (!outcome.finite) return static_cast<int>(ErrorKind::kDiverged);
  if (!outcome.interrupted) return kSuccess;
  fmt::print(stderr, "Interrupted.{}\n",
             written.empty()
                 ? ""
                 : fmt::format(" What was complete is in {}.", fmt::join(written, " and ")));
  return interrupted_code();
}

namespace {

TrainingEstimate estimated(const RunConfig& config, const TrainJob& job, bool measures) {
  ProgressLine line;
  return estimate(config, job, measures,
                  [&](const std::string& phase, double share) { line.show(phase, share); });
}

int run_estimate(const TrainingEstimate& estimate, int64_t runs, int64_t measurements,
                 const std::string& json) {
  print_estimate(estimate, runs, measurements);
  if (!json.empty()) write_file_atomic(json, to_json(estimate, runs, measurements) + "\n");
  return kSuccess;
}

int run_find_lr(const RunConfig& config, const TrainOptions& options) {
  LrFinding finding;
  {
    ProgressLine line;
    finding = find_learning_rate(config, options.search, [&](const std::string& phase, double share) {
      line.show(phase, share);
    });
  }
  print_finding(finding);
  if (!options.json.empty()) {
    Results results;
    results.recipe = to_json(config);
    results.series = lr_series(finding);
    results.notes = {finding.sentence};
    write_results(options.json, results);
  }
  return finding.interrupted ? interrupted_code() : kSuccess;
}

// What is left of a run, from the mean pace of its steps so far.
class TimeLeft {
 public:
  // " 3 min left"; empty until two steps are done, since the first pays for what is done once.
  std::string after(int64_t step, int64_t planned) {
    const auto now = std::chrono::steady_clock::now();
    if (first_ < 0) {
      first_ = step;
      began_ = now;
    }
    if (step == first_ || step >= planned) return {};
    const std::chrono::duration<double> spent = now - began_;
    return fmt::format("  {} left", duration(spent.count() / static_cast<double>(step - first_) *
                                             static_cast<double>(planned - step)));
  }

 private:
  int64_t first_ = -1;
  std::chrono::steady_clock::time_point began_{};
};

}  // namespace

int run_train(const TrainOptions& options) {
  if (!options.json.empty()) check_writable(options.json);
  RunConfig config = options.config;
  if (!options.recipe.empty()) config = recipe_in(read_file(options.recipe));
  if (options.find_lr) return run_find_lr(config, options);
  if (options.estimate) {
    return run_estimate(estimated(config, options.job, /*measures=*/false), 1, 0, options.json);
  }
  TrainOutcome outcome;
  {
    ProgressLine line;
    double loss = std::nan("");
    TrainJob job = options.job;
    job.on_estimate = [&](const TrainingEstimate& estimate) {
      line.clear();
      const std::string text = short_estimate(estimate, 1, 0);
      if (!text.empty()) fmt::print("{}\n", text);
      for (const std::string& note : estimate.notes) fmt::print("Note: {}\n", note);
      std::fflush(stdout);
    };
    TimeLeft left;
    const auto on_step = [&](const TrainPoint& p, int64_t planned) {
      if (std::isfinite(p.loss)) loss = std::isfinite(loss) ? 0.9 * loss + 0.1 * p.loss : p.loss;
      line.show(fmt::format("step {} of {}  loss {:.4f}  {} tokens/s{}", p.step, planned, loss,
                            short_number(p.tokens_per_second), left.after(p.step, planned)));
      // Without a terminal, and in its scroll-back, a line now and then.
      const int64_t every = std::max<int64_t>(planned / 20, 1);
      if (p.step % every != 0 && p.step != planned) return;
      line.clear();
      fmt::print("step {:>7}  loss {:.4f}  gradient norm {:.3f}  learning rate {:.2e}  {} tokens/s\n",
                 p.step, p.loss, p.grad_norm, p.learning_rate, short_number(p.tokens_per_second));
      std::fflush(stdout);
    };
    outcome = train(config, job, on_step, [&](const std::string& phase, double share) {
      line.show(phase, share);
    });
  }
  if (!outcome.saved_in.empty()) {
    fmt::print("The model after {} steps is in {}.\n", outcome.steps, outcome.saved_in);
  }
  if (outcome.stored_as > 0) fmt::print("Recorded: farstate runs show {}\n", outcome.stored_as);
  for (const std::string& note : outcome.results.notes) fmt::print("Note: {}\n", note);
  if (!options.json.empty()) write_results(options.json, outcome.results);
  if (!outcome.interrupted) return kSuccess;
  fmt::print(stderr, "Interrupted after step {}.{}\n", outcome.steps,
             outcome.saved_in.empty()
                 ? " Nothing was saved: there was no --out."
                 : fmt::format(" Go on with: farstate train --resume {}", outcome.saved_in));
  return interrupted_code();
}

int run_experiment(const ExperimentOptions& options) {
  if (!options.json.empty()) check_writable(options.json);
  const RunConfig config = options.recipe.empty() ? options.config : recipe_in(read_file(options.recipe));
  const int64_t runs = static_cast<int64_t>(options.plan.arms.size()) * options.plan.seeds;
  const TrainingEstimate beforehand = estimated(config, {}, /*measures=*/true);
  if (options.estimate) return run_estimate(beforehand, runs, runs + 1, options.json);
  const std::string line_before = short_estimate(beforehand, runs, runs + 1);
  if (!line_before.empty()) fmt::print("{}\n", line_before);
  ExperimentOutcome outcome;
  {
    ProgressLine line;
    outcome = experiment(
        config, options.plan,
        [&](const Experiment& at) { line.show(at.phase, at.progress); },
        [&](const ArmRun& run, const Experiment& so_far) {
          line.clear();
          print_run(run, so_far.context, so_far.perplexity);
          // Written after every run: what a night has computed is not lost with the last hour.
          // A disk that is full now may not be at the end, and costs no run.
          try {
            if (!options.json.empty()) write_experiment(options.json, so_far);
          } catch (const Error& error) {
            fmt::print(stderr, "{}\n", error.what());
          }
        },
        options.record ? std::optional(options.store) : std::nullopt);
  }
  print_experiment(outcome.experiment);
  if (!options.json.empty()) write_experiment(options.json, outcome.experiment);
  if (outcome.interrupted) return interrupted_code();
  return outcome.failed ? static_cast<int>(outcome.failure) : kSuccess;
}

int run_generate(const GenerateOptions& options) {
  GenerateJob job = options.job;
  if (!job.save_state.empty()) check_writable(job.save_state);
  if (!options.json.empty()) check_writable(options.json);
  if (job.request.prompt_file == "-") {
    job.request.prompt_file.clear();
    job.request.prompt.assign(std::istreambuf_iterator<char>(std::cin), {});
  }
  // A long text that came from a file is not wanted back; one that was typed stands before its
  // continuation.
  const bool echo = options.job.request.prompt_file.empty();
  std::vector<GeneratedToken> tokens;  // for the file
  GenerateOutcome outcome;
  {
    ProgressLine line;
    outcome = generate(
        job,
        [&](const GeneratedToken& token) {
          if (options.losses || echo || !token.prompt) line.clear();
          if (options.losses) {
            print_token(token);
          } else if (echo || !token.prompt) {
            fmt::print("{}", token.text);
          }
          std::fflush(stdout);
          if (!options.json.empty()) tokens.push_back(token);
        },
        [&](const std::string& phase, double share) { line.show(phase, share); });
  }
  fmt::print("{}\n", options.losses ? "" : outcome.unfinished);
  if (!options.json.empty()) write_file_atomic(options.json, to_json(job, outcome, tokens) + "\n");
  if (!outcome.finite) {
    fmt::print(stderr, "farstate: {}\n", outcome.generation.problem);
    return static_cast<int>(ErrorKind::kDiverged);
  }
  return outcome.interrupted ? interrupted_code() : kSuccess;
}

int run_convert(const ConvertOptions& options) {
  Converted converted;
  {
    ProgressLine line;
    converted = convert_checkpoint(options.config, [&](const std::string& phase, double share) {
      line.show(phase, share);
    });
  }
  for (const std::string& note : converted.notes) fmt::print("Note: {}\n", note);
  fmt::print("{} holds {} ({}).\n", options.config.out, fmt::join(converted.files, ", "),
             short_bytes(static_cast<double>(converted.bytes)));
  return kSuccess;
}

namespace {

int make_new_tokenizer(const TokenizeOptions& options) {
  MadeTokenizer made;
  {
    ProgressLine line;
    made = make_tokenizer({options.job.data.path, options.make == "characters", options.vocabulary,
                           options.job.out, options.job.data.generated},
                          [&](const std::string& phase, double share) { line.show(phase, share); });
  }
  fmt::print("tokenizer        {}\n", made.path);
  fmt::print("vocabulary       {} {}{}\n", made.vocabulary, options.make,
             made.closed ? "; a text with others is refused"
                         : ", with one for what it does not know");
  const auto tokens = static_cast<double>(std::max<int64_t>(made.tokens, 1));
  fmt::print("tokens           {} of {} bytes, {:.2f} bytes per token\n", made.tokens, made.bytes,
             static_cast<double>(made.bytes) / tokens);
  fmt::print("not known        {} of them, {:.2g} %\n", made.unknown,
             100 * static_cast<double>(made.unknown) / tokens);
  return kSuccess;
}

}  // namespace

int run_tokenize(const TokenizeOptions& options) {
  if (!options.make.empty()) return make_new_tokenizer(options);
  if (!options.job.out.empty()) check_writable(options.job.out);
  TokenizeOutcome outcome;
  {
    ProgressLine line;
    outcome = tokenize(options.job,
                       [&](const std::string& phase, double share) { line.show(phase, share); });
  }
  // As JSON strings, so that spaces and line feeds can be seen.
  for (const TokenPreview& token : outcome.first) {
    fmt::print("{:>8}  {}\n", token.id, nlohmann::json(token.text).dump());
  }
  const auto bytes = static_cast<double>(outcome.bytes);
  fmt::print("\ntokenizer        {}\n", outcome.tokenizer);
  fmt::print("tokens           {} of {} bytes, {:.2f} bytes per token\n", outcome.tokens,
             outcome.bytes, bytes / static_cast<double>(std::max<int64_t>(outcome.tokens, 1)));
  const auto encoded = static_cast<double>(outcome.encoded);
  fmt::print("speed            {}{}\n",
             outcome.encoded == 0
                 ? fmt::format("not measured: {}", outcome.tokenizer == "bytes"
                                                       ? "the bytes are the tokens"
                                                       : "the tokens were kept from before")
                 : fmt::format("{:.1f} MB/s", encoded / 1e6 / outcome.seconds),
             outcome.encoded == 0 || outcome.encoded == outcome.bytes
                 ? ""
                 : fmt::format(", over the {} bytes that an earlier run had left", outcome.encoded));
  if (!options.job.out.empty()) fmt::print("written to       {}\n", options.job.out);
  for (const std::string& note : outcome.notes) fmt::print("\nNote: {}\n", note);
  return kSuccess;
}

int run_presets(const PresetsOptions& options) {
  options.name.empty() ? print_presets() : print_preset(preset(options.name));
  return kSuccess;
}

int run_plot(const PlotOptions& options) {
  const std::string program = find_desktop_program();
  if (program.empty()) {
    throw Error(ErrorKind::kBadUsage,
                "Plots are drawn by farstate-desktop, and it is neither beside this program nor in "
                "PATH: build Farstate with Qt (FARSTATE_DESKTOP=ON).");
  }
  std::vector<std::string> arguments = {"--out",  options.out,    "--format", options.format,
                                        "--size", options.size,   "--theme",  options.theme};
  // With "=": a name may begin with a dash.
  for (const std::string& file : options.results) arguments.push_back("--render=" + file);
  if (!options.plots.empty()) {
    arguments.push_back(fmt::format("--only={}", fmt::join(options.plots, ",")));
  }
  return run_desktop_program(program, arguments);
}

int run_selftest() {
  bool all = true;
  fmt::print("{:<58} {:>10} {:>8}\n", "check (error: RMS ratio to fp64)", "error", "bound");
  for (const SelftestCheck& check : selftest()) {
    fmt::print("{:<58} {:>10.2e} {:>8.0e}  {}\n", check.name, check.error, check.bound,
               check.passed ? "ok" : "FAILED");
    all = all && check.passed;
  }
  fmt::print("{}\n", all ? "All checks passed on this machine."
                         : "This machine computes wrong numbers; please report it with this table.");
  return all ? kSuccess : static_cast<int>(ErrorKind::kInternal);
}

}  // namespace farstate
