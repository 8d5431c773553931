// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/terminal/runs_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "app/terminal/score_table.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/results/experiment.h"
#include "core/session/run_config.h"
#include "core/session/run_folder.h"
#include "core/store/run_export.h"
#include "core/store/run_store.h"
#include "core/store/tensorboard.h"

namespace farstate {
namespace {

constexpr int kSuccess = 0;
constexpr const char* kLost = "lost";  // "running", and its program is gone

std::string place_of(const RunsOptions& options) {
  return options.store.empty() ? RunStore::default_path() : options.store;
}

std::unique_ptr<RunStore> open(const RunsOptions& options) {
  std::unique_ptr<RunStore> store = RunStore::open_to_read(place_of(options));
  if (!store->read_only().empty()) fmt::print(stderr, "{}\n", store->read_only());
  return store;
}

StoredRun find(const RunStore& store, int64_t id) {
  std::optional<StoredRun> run = store.find(id);
  if (run) return *run;
  throw Error(ErrorKind::kBadUsage, fmt::format("There is no run {} in {}; \"farstate runs list\" names "
                                                "them all.",
                                                id, store.path()));
}

// As --status filters.
std::string status_word(const StoredRun& run) {
  return run.status == RunStatus::kRunning && !run.alive ? kLost : to_string(run.status);
}

std::string status_text(const StoredRun& run) {
  const std::string word = status_word(run);
  return word == kLost ? "ended without a word" : word;
}

std::string number_text(double value) { return std::isnan(value) ? "-" : fmt::format("{:.4g}", value); }

std::string time_text(const std::string& iso) {  // "2026-11-30T08:12:45Z" to the minute
  std::string text = iso.substr(0, 16);
  std::replace(text.begin(), text.end(), 'T', ' ');
  return text;
}

std::string or_none(const std::string& text) { return text.empty() ? "none" : text; }

// Cells in columns as wide as they need; the first and those of numbers are aligned to the right.
void print_table(const std::vector<std::vector<std::string>>& rows, const std::string& right) {
  std::vector<size_t> widths(rows.front().size());
  for (const std::vector<std::string>& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const std::vector<std::string>& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      line += right[i] == 'r' ? fmt::format("{:>{}}  ", row[i], widths[i])
                              : fmt::format("{:<{}}  ", row[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
  }
}

// The tasks that each run was scored at: "passkey, register".
std::map<int64_t, std::string> scored_tasks(const RunStore& store) {
  std::map<int64_t, std::set<std::string>> tasks;
  for (const StoredScoring& scoring : store.list_scorings()) {
    if (scoring.run > 0) tasks[scoring.run].insert(scoring.task);
  }
  std::map<int64_t, std::string> joined;
  for (const auto& [run, names] : tasks) joined[run] = fmt::format("{}", fmt::join(names, ", "));
  return joined;
}

int list_runs(const RunsOptions& options) {
  if (!options.json.empty()) check_writable(options.json);
  const std::unique_ptr<RunStore> store = open(options);
  std::vector<StoredRun> runs = store->list();
  std::erase_if(runs, [&](const StoredRun& run) {
    return (!options.experiment.empty() && run.experiment != options.experiment) ||
           (!options.status.empty() && status_word(run) != options.status);
  });
  if (!options.json.empty()) write_file_atomic(options.json, to_json(runs, store->path()) + "\n");
  if (runs.empty()) {
    fmt::print("No such runs in {}.\n", store->path());
    return kSuccess;
  }
  const std::map<int64_t, std::string> scored = scored_tasks(*store);
  std::vector<std::vector<std::string>> rows = {
      {"id", "name", "law", "seed", "steps", "status", "loss", "started (UTC)",
       scored.empty() ? "" : "scored at"}};
  for (const StoredRun& run : runs) {
    const auto tasks = scored.find(run.id);
    rows.push_back({std::to_string(run.id), run.name, run.law, std::to_string(run.seed),
                    fmt::format("{}/{}", run.steps, run.planned), status_text(run),
                    number_text(run.final_loss), time_text(run.started),
                    tasks == scored.end() ? "" : tasks->second});
  }
  print_table(rows, "rllrrlrll");
  return kSuccess;
}

std::string recipe_summary(const std::string& recipe) {
  try {
    return summary(run_config_from_json(recipe));
  } catch (const Error& error) {
    return fmt::format("cannot be read: {}", error.what());
  }
}

// T of the recipe; 0: it can't be read.
int64_t context_of(const std::string& recipe) {
  try {
    return run_config_from_json(recipe).train.context;
  } catch (const Error&) {
    return 0;
  }
}

void print_perplexities(const StoredRun& run, const RunCurves& curves) {
  ArmRun measured;
  measured.series = curves.series;
  if (!curves.snapshots.empty()) {
    measured.snapshots.push_back(std::make_shared<const Snapshot>(curves.snapshots.back()));
  }
  const bool at_end = find_series(curves.series, "perplexity") != nullptr;
  if (!at_end) measured.series.clear();
  const int64_t context = context_of(run.recipe);
  if (context == 0 || (!at_end && curves.snapshots.empty())) return;
  std::string line;
  for (const TablePosition& column : table_positions(context)) {
    const std::optional<double> value = perplexity_at(measured, column.position);
    if (value) line += fmt::format("{} {:.4g}  ", column.name, *value);
  }
  if (line.empty()) return;
  line.erase(line.find_last_not_of(' ') + 1);
  fmt::print("perplexity       {} (after {} steps, T = {})\n", line,
             at_end ? run.steps : curves.snapshots.back().step, context);
}

void print_checkpoint(const StoredRun& run) {
  if (run.folder.empty()) {
    fmt::print("checkpoint       none\n");
    return;
  }
  if (!holds_run(run.folder)) {
    fmt::print("checkpoint       {} holds none{}\n", run.folder,
               run.checkpoint_step > 0 ? " any more" : " yet");
    return;
  }
  fmt::print("checkpoint       {}, after {} steps\n", run.folder, run.checkpoint_step);
  if (run.alive) return;
  const bool ended = run.checkpoint_step >= run.planned;
  fmt::print("go on with       farstate train --resume {}{}\n", run.folder,
             ended ? " --steps N" : "");
}

// One by one: what was scored at another time may be of other samples, or of the run when it was shorter.
void print_scorings(const RunStore& store, int64_t run) {
  std::vector<StoredScoring> all = store.list_scorings();
  std::erase_if(all, [&](const StoredScoring& scoring) { return scoring.run != run; });
  for (const StoredScoring& scoring : all) {
    fmt::print("\nscores           {}, last written {} UTC\n", scoring.id, time_text(scoring.updated));
    print_scores(store.cells(scoring.id));
  }
}

int show_run(const RunsOptions& options) {
  const std::unique_ptr<RunStore> store = open(options);
  const StoredRun run = find(*store, options.id);
  const RunCurves curves = store->curves(run.id);
  fmt::print("run              {}, {}\n", run.id, run.name);
  fmt::print("status           {}{}\n", status_text(run),
             run.problem.empty() ? "" : ": " + run.problem);
  fmt::print("recipe           {}\n", recipe_summary(run.recipe));
  fmt::print("written by       {}\n", run.program);
  if (!run.experiment.empty()) {
    fmt::print("experiment       {}, arm {}\n", run.experiment, or_none(run.arm));
  }
  if (run.forked_at > 0) {
    fmt::print("forked           from {} after {} steps\n",
               run.parent > 0 ? fmt::format("run {}", run.parent) : "a run that is not recorded",
               run.forked_at);
  }
  fmt::print("steps            {} of {}, loss {}\n", run.steps, run.planned,
             number_text(run.final_loss));
  fmt::print("started          {} UTC, last written {} UTC\n", time_text(run.started),
             time_text(run.updated));
  print_checkpoint(run);
  if (!curves.snapshots.empty()) {
    fmt::print("snapshots        {}, from step {} to {}\n", curves.snapshots.size(),
               curves.snapshots.front().step, curves.snapshots.back().step);
  }
  print_perplexities(run, curves);
  print_scorings(*store, run.id);
  if (curves.events.empty()) return kSuccess;
  fmt::print("\n{:>10}  event\n", "step");
  for (const RunEvent& event : curves.events) {
    fmt::print("{:>10}  {}: {}\n", event.step, event.kind, event.text);
  }
  return kSuccess;
}

void export_json(const StoredRun& run, const RunCurves& curves, const std::string& path) {
  int64_t non_finite = 0;
  write_file_atomic(path, [&](std::ostream& out) { write_json(out, run, curves, non_finite); });
  if (non_finite > 0) {
    fmt::print(stderr, "{} numbers are not finite; they are null in {}.\n", non_finite, path);
  }
  fmt::print("Written to {}.\n", path);
}

int export_run(const RunsOptions& options) {
  const std::unique_ptr<RunStore> store = open(options);
  const StoredRun run = find(*store, options.id);
  const RunCurves curves = store->curves(run.id);
  if (options.format == "json") {
    export_json(run, curves, options.out);
  } else if (options.format == "csv") {
    const std::vector<std::string> files = write_tables(options.out, run, curves);
    fmt::print("{} holds {}.\n", options.out, fmt::join(files, ", "));
  } else {
    fmt::print("Written to {}. Look at it with: tensorboard --logdir {}\n",
               write_tensorboard(options.out, run, curves), options.out);
  }
  return kSuccess;
}

// In words, what became of the checkpoint.
std::string remove_checkpoint(const StoredRun& run) {
  if (run.folder.empty()) return "it had no checkpoint";
  if (!holds_run(run.folder)) return fmt::format("there was no run in {}", run.folder);
  return remove_run(run.folder)
             ? fmt::format("{} is removed", run.folder)
             : fmt::format("its files in {} are removed, others are left there", run.folder);
}

int delete_runs(const RunsOptions& options) {
  const std::unique_ptr<RunStore> store = RunStore::open(place_of(options));
  std::vector<StoredRun> runs;
  for (const int64_t id : options.ids) runs.push_back(find(*store, id));
  // All or none: nothing is removed before each of them may be.
  for (const StoredRun& run : runs) {
    if (!run.alive) continue;
    throw Error(ErrorKind::kBadUsage,
                fmt::format("Run {} is running; stop it before it is deleted. Nothing was deleted.",
                            run.id));
  }
  for (const StoredRun& run : runs) {
    if (!store->find(run.id)) continue;  // named twice
    std::string checkpoint;
    if (options.with_checkpoint) {
      checkpoint = "; " + remove_checkpoint(run);
    } else if (!run.folder.empty() && holds_run(run.folder)) {
      checkpoint = fmt::format("; its checkpoint stays in {}", run.folder);
    }
    store->remove(run.id);
    fmt::print("Deleted run {}, {}{}.\n", run.id, run.name, checkpoint);
  }
  return kSuccess;
}

}  // namespace

void add_runs(CLI::App& command, RunsOptions& options) {
  command.require_subcommand(1);
  command.add_option("--store", options.store,
                     "file of the store (default: $FARSTATE_STORE, else your own)")
      ->option_text("FILE");
  CLI::App* list = command.add_subcommand("list", "all runs, the newest first");
  list->add_option("--experiment", options.experiment, "only those of this experiment")
      ->option_text("NAME");
  list->add_option("--status", options.status,
                   "only these: running, lost (ended without a word), done, stopped, failed")
      ->check(CLI::IsMember({"running", kLost, "done", "stopped", "failed"}));
  list->add_option("--json", options.json, "also write the list for programs")->option_text("FILE");
  CLI::App* show = command.add_subcommand("show", "a run: recipe, events, perplexity, checkpoint");
  show->add_option("ID", options.id, "number of the run")->required();
  CLI::App* to_files = command.add_subcommand("export", "a run for other programs");
  to_files->add_option("ID", options.id, "number of the run")->required();
  to_files->add_option("--format", options.format, "json, csv or tensorboard")
      ->check(CLI::IsMember({"json", "csv", "tensorboard"}))->capture_default_str();
  to_files->add_option("--out", options.out, "file for json; folder for csv and tensorboard")
      ->option_text("PATH")->required();
  CLI::App* remove = command.add_subcommand("delete", "forget runs; one that is running is refused");
  remove->add_option("ID", options.ids, "numbers of the runs")->required();
  remove->add_flag("--with-checkpoint", options.with_checkpoint,
                   "also remove the files of the run and its model");
}

int run_runs(const CLI::App& command, const RunsOptions& options) {
  if (command.got_subcommand("list")) return list_runs(options);
  if (command.got_subcommand("show")) return show_run(options);
  if (command.got_subcommand("export")) return export_run(options);
  return delete_runs(options);
}

}  // namespace farstate
