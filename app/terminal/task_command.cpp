// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/terminal/task_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>

#include "app/terminal/estimate_text.h"
#include "app/terminal/score_table.h"
#include "app/terminal/terminal.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/checkpoint/provenance.h"
#include "core/results/series_csv.h"
#include "core/session/run_folder.h"
#include "core/store/run_store.h"
#include "resources/embedded_models.h"

namespace farstate {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kSuccess = 0;

int interrupted_code() { return static_cast<int>(ErrorKind::kInterrupted); }

// ----- generate

Json spans_json(const TaskSample& sample, const std::vector<TextSpan>& spans) {
  Json list = Json::array();
  for (const TextSpan& span : spans) {
    list.push_back({{"begin", span.begin},
                    {"end", span.end},
                    {"text", sample.text.substr(static_cast<size_t>(span.begin),
                                                static_cast<size_t>(span.end - span.begin))}});
  }
  return list;
}

std::string line_of(const TaskSample& sample, int64_t tokens) {
  const auto prompt = static_cast<size_t>(sample.answers.empty() ? 0 : sample.answers.front().begin);
  const Json json = {{"text", sample.text},
                     {"prompt", sample.text.substr(0, prompt)},
                     {"answers", spans_json(sample, sample.answers)},
                     {"evidence", spans_json(sample, sample.evidence)},
                     {"kind", sample.kind},
                     {"question", sample.question},
                     {"target", sample.target},
                     {"length", tokens}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

int generate_samples(const GenerateSamplesOptions& options) {
  if (!options.out.empty()) check_writable(options.out);
  const TaskSamples all = task_samples(options.config, options.request, options.count);
  const auto write = [&](std::ostream& out) {
    for (size_t i = 0; i < all.samples.size(); ++i) out << line_of(all.samples[i], all.tokens[i]);
  };
  if (options.out.empty()) {
    write(std::cout);
    return kSuccess;
  }
  write_file_atomic(options.out, write);
  const auto [least, most] = std::minmax_element(all.tokens.begin(), all.tokens.end());
  fmt::print("{} samples of {} to {} tokens ({}) are in {}.\n", all.samples.size(), *least, *most,
             all.tokenizer, options.out);
  return kSuccess;
}

// ----- scores, in files

void check_writable(const ScoresOut& out) {
  for (const std::string& path : {out.json, out.csv}) {
    if (!path.empty()) farstate::check_writable(path);
  }
  if (!out.json.empty() && out.json == out.csv) {
    throw Error(ErrorKind::kBadUsage,
                "--json and --csv name the same file; choose another for one.");
  }
}

void write_scores(const std::string& json, const std::string& csv, const TaskScores& scores) {
  if (!json.empty()) write_file_atomic(json, to_json(scores) + "\n");
  if (csv.empty()) return;
  write_file_atomic(csv, [&](std::ostream& out) { write_csv(out, scores.cells); });
}

// In the midst of a night's work: a disk that is full now may not be at the end.
void try_to_write(const ScoresOut& out, const TaskScores& scores) {
  try {
    write_scores(out.json, out.csv, scores);
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
  }
}

std::optional<std::string> store_of(const ScoresOut& out) {
  return out.record ? std::optional(out.store) : std::nullopt;
}

void print_all(const TaskScores& scores, const std::string& task, const ScoresOut& out) {
  print_scores(scores.cells);
  if (out.paper) print_paper(task);
  for (const std::string& note : scores.notes) fmt::print("\nNote: {}\n", note);
}

void append(std::vector<TaskCell>& all, const std::vector<TaskCell>& cells) {
  all.insert(all.end(), cells.begin(), cells.end());
}

// ----- train

TaskScores scores_of(const Experiment& experiment, const std::string& model) {
  TaskScores scores;
  scores.recipe = experiment.recipe;
  scores.model = model;
  scores.context = experiment.context;
  scores.notes = experiment.notes;
  if (experiment.base != nullptr) append(scores.cells, experiment.base->cells);
  for (const auto& run : experiment.runs) append(scores.cells, run->cells);
  return scores;
}

void print_run(const ArmRun& run) {
  fmt::print("{}{}{}\n",
             run.arm == "base" ? "base, untouched       "
                               : fmt::format("{:<15} seed {}", run.arm, run.seed),
             short_scores(run.cells), run.problem.empty() ? "" : "  " + run.problem);
  std::fflush(stdout);
}

// What is measured of the runs beside their scores: curves by position to eight times T.
void set_measurements(RunConfig& config) {
  config.measure.probes = {"perplexity", "state"};
  config.measure.length = std::max<int64_t>(8 * config.train.context, 2);
  config.measure.sequences = 4;
}

std::string progress_text(const std::string& phase, double share, double seconds_left) {
  return fmt::format("{}  {:.0f} %{}", phase, 100 * share,
                     seconds_left < 0 ? "" : fmt::format("  {} left", duration(seconds_left)));
}

TrainingEstimate estimated(const RunConfig& config) {
  ProgressLine line;
  return estimate(config, {}, /*measures=*/true,
                  [&](const std::string& phase, double share) { line.show(phase, share); });
}

int train_task(const TrainTaskOptions& options) {
  check_writable(options.out);
  RunConfig config = options.config;
  set_measurements(config);
  validate(config);
  for (const std::string& arm : options.plan.arms) with_arm(config, arm);
  const bool made = options.model.empty() && options.config.model.init ==
                        (fs::path(options.plan.out) / "model" / "config.json").string();
  if (made) {
    write_new_model(fs::path(config.model.init).parent_path().string(), config.task, options.shape);
  }
  const std::string model = options.model.empty() ? config.model.init : options.model;
  const int64_t runs = static_cast<int64_t>(options.plan.arms.size()) * options.plan.seeds;
  const TrainingEstimate beforehand = estimated(config);
  if (options.estimate) {
    print_estimate(beforehand, runs, runs + 1);
    if (!options.out.json.empty()) {
      write_file_atomic(options.out.json, to_json(beforehand, runs, runs + 1) + "\n");
    }
    return kSuccess;
  }
  const std::string line_before = short_estimate(beforehand, runs, runs + 1);
  if (!line_before.empty()) fmt::print("{}\n", line_before);
  ExperimentOutcome outcome;
  {
    ProgressLine line;
    outcome = experiment(
        config, options.plan,
        [&](const Experiment& at) { line.show(progress_text(at.phase, at.progress, at.seconds_left)); },
        [&](const ArmRun& run, const Experiment& so_far) {
          line.clear();
          print_run(run);
          try_to_write(options.out, scores_of(so_far, model));
        },
        store_of(options.out));
  }
  const TaskScores scores = scores_of(outcome.experiment, model);
  print_all(scores, config.task.name, options.out);
  write_scores(options.out.json, options.out.csv, scores);
  if (outcome.interrupted) return interrupted_code();
  return outcome.failed ? static_cast<int>(outcome.failure) : kSuccess;
}

// ----- score

// A model whose weights are to be scored.
struct Subject {
  std::string model;
  std::string arm;
  uint64_t seed = 0;
  RunConfig recipe;         // that it was trained by
  bool has_recipe = false;
};

// "random-noise,sigma=0.3-seed7", as an experiment names the folder of a run.
std::optional<std::pair<std::string, uint64_t>> arm_of_folder(const std::string& name) {
  constexpr std::string_view kMark = "-seed";
  const size_t at = name.rfind(kMark);
  if (at == std::string::npos || at == 0) return std::nullopt;
  uint64_t seed = 0;
  const char* const end = name.data() + name.size();
  const auto parsed = std::from_chars(name.data() + at + kMark.size(), end, seed);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  std::string arm = name.substr(0, at);
  std::replace(arm.begin(), arm.end(), ',', ':');
  return std::pair(arm, seed);
}

Subject subject_of(const std::string& model) {
  Subject subject;
  subject.model = model;
  subject.arm = "base";
  const fs::path path = fs::path(model).lexically_normal();
  const fs::path folder = fs::is_directory(path) ? path : path.parent_path();
  const fs::path known = folder / "farstate.json";
  if (find_embedded_model(model) == nullptr && fs::exists(known)) {
    const Provenance provenance = provenance_from_json(read_file(known.string()), known.string());
    if (!provenance.trained_with.empty()) subject.arm = provenance.trained_with;
    if (!provenance.recipe.empty()) {
      subject.recipe = run_config_from_json(provenance.recipe);
      subject.has_recipe = true;
      subject.seed = subject.recipe.seed;
    }
  }
  const std::string name = (folder.has_filename() ? folder : folder.parent_path()).filename().string();
  if (const auto named = arm_of_folder(name); named && subject.has_recipe) subject.arm = named->first;
  return subject;
}

// The runs in a folder that train has made; empty: it is none.
std::vector<Subject> runs_in(const std::string& folder) {
  std::vector<Subject> runs;
  if (find_embedded_model(folder) != nullptr || !fs::is_directory(folder)) return runs;
  if (fs::exists(fs::path(folder) / "config.json")) return runs;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (!entry.is_directory() || !holds_run(entry.path().string())) continue;
    if (!arm_of_folder(entry.path().filename().string())) continue;
    runs.push_back(subject_of(entry.path().string()));
  }
  // The control first.
  std::sort(runs.begin(), runs.end(), [](const Subject& a, const Subject& b) {
    return std::tuple(a.arm != "zero", a.arm, a.seed) < std::tuple(b.arm != "zero", b.arm, b.seed);
  });
  return runs;
}

struct ScorePlan {
  std::vector<Subject> subjects;
  std::vector<RunConfig> configs;  // of each
};

// Runs of one training are scored on the same samples, those of its first seed, as it has scored them.
ScorePlan plan_scores(const CLI::App& command, const ScoreTaskOptions& options) {
  ScorePlan plan;
  for (const std::string& model : options.models) {
    std::vector<Subject> subjects = runs_in(model);
    if (subjects.empty()) subjects.push_back(subject_of(model));
    uint64_t first_seed = subjects.front().seed;
    for (const Subject& subject : subjects) first_seed = std::min(first_seed, subject.seed);
    for (Subject& subject : subjects) {
      RunConfig config = options.config;
      config.model.model = subject.model;
      if (subject.has_recipe && subject.recipe.task.name == config.task.name) {
        take_settings(command, subject.recipe, config);
        if (command.count("--seed") == 0 && subjects.size() > 1) config.seed = first_seed;
      }
      if (!options.arm.empty()) subject.arm = options.arm;
      validate(config);
      plan.subjects.push_back(std::move(subject));
      plan.configs.push_back(std::move(config));
    }
  }
  return plan;
}

int score_models(const CLI::App& command, const ScoreTaskOptions& options) {
  check_writable(options.out);
  const ScorePlan plan = plan_scores(command, options);
  TaskScores all;
  all.model = fmt::format("{}", fmt::join(options.models, ", "));
  bool interrupted = false;
  bool recorded = true;
  for (size_t i = 0; i < plan.subjects.size() && !interrupted; ++i) {
    const Subject& subject = plan.subjects[i];
    ScoreOutcome outcome;
    {
      ProgressLine line;
      const std::string who = plan.subjects.size() == 1
                                  ? ""
                                  : fmt::format("{} of {}, {}: ", i + 1, plan.subjects.size(), subject.arm);
      outcome = score(
          plan.configs[i], subject.arm,
          [&](const TaskScores& at) {
            line.show(who + progress_text(at.phase, at.progress, at.seconds_left));
          },
          store_of(options.out),
          [&](const std::string& phase, double share) { line.show(who + phase, share); });
    }
    interrupted = outcome.interrupted;
    recorded = recorded && outcome.recorded;
    const TaskScores& scores = outcome.scores;
    if (all.recipe.empty()) {
      all.recipe = scores.recipe;
      all.context = scores.context;
    }
    append(all.cells, scores.cells);
    for (const std::string& note : scores.notes) {
      if (std::find(all.notes.begin(), all.notes.end(), note) == all.notes.end()) {
        all.notes.push_back(note);
      }
    }
    if (plan.subjects.size() > 1) {
      const uint64_t seed = scores.cells.empty() ? subject.seed : scores.cells.front().seed;
      fmt::print("{:<15} seed {}{}\n", subject.arm, seed, short_scores(scores.cells));
      std::fflush(stdout);
    }
    try_to_write(options.out, all);
  }
  print_all(all, options.config.task.name, options.out);
  write_scores(options.out.json, options.out.csv, all);
  if (!interrupted) return kSuccess;
  fmt::print(stderr, "Interrupted.{}\n",
             recorded ? " What is scored is recorded; the same command goes on from there." : "");
  return interrupted_code();
}

// ----- recorded scores

StoredScoring find_scoring(const RunStore& store, int64_t id) {
  for (const StoredScoring& scoring : store.list_scorings()) {
    if (scoring.id == id) return scoring;
  }
  throw Error(ErrorKind::kBadUsage,
              fmt::format("There are no scores {} in {}; \"farstate task scores\" names them all.", id,
                          store.path()));
}

std::string minute(const std::string& iso) {  // "2026-11-30T08:12:45Z" to the minute
  std::string text = iso.substr(0, 16);
  std::replace(text.begin(), text.end(), 'T', ' ');
  return text;
}

int list_scores(const RunStore& store) {
  const std::vector<StoredScoring> all = store.list_scorings();
  if (all.empty()) {
    fmt::print("No scores in {}.\n", store.path());
    return kSuccess;
  }
  fmt::print("{:>5}  {:<9} {:<24} {:>20}  {:>5}  {:<17} {}\n", "id", "task", "arm", "seed", "run",
             "written (UTC)", "model");
  for (const StoredScoring& scoring : all) {
    fmt::print("{:>5}  {:<9} {:<24} {:>20}  {:>5}  {:<17} {}\n", scoring.id, scoring.task, scoring.arm,
               scoring.seed, scoring.run > 0 ? std::to_string(scoring.run) : "-",
               minute(scoring.updated), scoring.model);
  }
  return kSuccess;
}

int show_scores(const RunStore& store, const StoredScoresOptions& options) {
  const StoredScoring scoring = find_scoring(store, options.id);
  TaskScores scores;
  scores.recipe = scoring.recipe;
  scores.model = scoring.model;
  scores.cells = store.cells(scoring.id);
  scores.context = run_config_from_json(scoring.recipe).train.context;
  fmt::print("scores           {}, {}\n", scoring.id, scoring.task);
  fmt::print("model            {}, arm {}, seed {}{}\n", scoring.model, scoring.arm, scoring.seed,
             scoring.run > 0 ? fmt::format(", run {}", scoring.run) : "");
  fmt::print("started          {} UTC, last written {} UTC\n", minute(scoring.started),
             minute(scoring.updated));
  print_scores(scores.cells);
  write_scores(options.json, options.csv, scores);
  return kSuccess;
}

int delete_scores(RunStore& store, const StoredScoresOptions& options) {
  // All or none.
  for (const int64_t id : options.ids) find_scoring(store, id);
  for (const int64_t id : options.ids) {
    store.remove_scoring(id);
    fmt::print("Deleted scores {}.\n", id);
  }
  return kSuccess;
}

int run_stored(const CLI::App& command, const StoredScoresOptions& options) {
  const std::string path = options.store.empty() ? RunStore::default_path() : options.store;
  if (command.got_subcommand("delete")) return delete_scores(*RunStore::open(path), options);
  const std::unique_ptr<RunStore> store = RunStore::open_to_read(path);
  if (!store->read_only().empty()) fmt::print(stderr, "{}\n", store->read_only());
  if (command.got_subcommand("show")) return show_scores(*store, options);
  return list_scores(*store);
}

}  // namespace

int run_task(const CLI::App& command, TasksOptions& options) {
  for (TaskOptions& task : options.tasks) {
    if (!command.got_subcommand(task.name)) continue;
    const CLI::App& named = *command.get_subcommand(task.name);
    if (named.got_subcommand("generate")) return generate_samples(task.generate);
    if (named.got_subcommand("score")) return score_models(*named.get_subcommand("score"), task.score);
    task.train.finish(*named.get_subcommand("train"));
    return train_task(task.train);
  }
  return run_stored(*command.get_subcommand("scores"), options.scores);
}

}  // namespace farstate
